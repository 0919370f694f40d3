/**
 * Credentials that follow their sources: files are looked at again every half minute, a plug-in is
 * asked again when its answer expires, and both at once when a server refuses what we have. An
 * identity stays the same object while nothing changed, so that connections are kept.
 */
import type { Clock, Environment } from '@tandem/runtime';
import { checkCertificates, checkPair, type Pem } from './check-pem.ts';
import {
  type Credentials,
  CredentialsError,
  type Identity,
  type TlsMaterial,
} from './credentials.ts';
import type { ExecCredential } from './exec-credential.ts';
import { askExecPlugin, freshMsOf } from './exec-plugin.ts';
import { nameOf, readSource } from './read-source.ts';
import { Refreshing } from './refreshing.ts';
import type { ConnectionSettings, Source } from './settings.ts';

/** The kubelet replaces a token long before it ends, so that this is soon enough. */
const rereadMs = 30_000;

export function createCredentials(
  settings: ConnectionSettings,
  options: { clock: Clock; environment: Environment; execLimitMs: number },
): Credentials {
  const { clock, environment, execLimitMs: limitMs } = options;
  const files = new Refreshing({
    clock,
    load: () => readFiles(settings),
    freshMs: () => (hasFiles(settings) ? rereadMs : Number.POSITIVE_INFINITY),
    // A rotation is not one step: for a moment a file may be gone, or not fit the other.
    isOldGoodEnough: true,
  });
  const { exec } = settings;
  const plugin =
    exec === undefined
      ? undefined
      : new Refreshing({
          clock,
          load: () => askExecPlugin({ settings: exec, environment, clock, limitMs }),
          freshMs: (credential) => freshMsOf(credential, clock),
          isOldGoodEnough: false,
        });
  const combine = combiner(settings);

  return {
    server: settings.server,
    async identity() {
      return combine(await files.get(), await plugin?.get());
    },
    current() {
      const texts = files.fresh;
      const answer = plugin?.fresh;
      const isKnown = texts !== undefined && (plugin === undefined || answer !== undefined);
      return isKnown ? combine(texts, answer) : undefined;
    },
    async renew(refused) {
      const current = combine(await files.get(), await plugin?.get());
      if (current !== refused) return current;
      const renewed = combine(await files.renew(), await plugin?.renew());
      return renewed === refused ? undefined : renewed;
    },
  };
}

/** Makes identities of the two sources; the same one again while they say the same. */
function combiner(
  settings: ConnectionSettings,
): (texts: FileTexts, answer: ExecCredential | undefined) => Identity {
  let last:
    | { texts: FileTexts; answer: ExecCredential | undefined; identity: Identity }
    | undefined;
  return (texts, answer) => {
    if (last?.texts === texts && last.answer === answer) return last.identity;
    const next = identityOf(settings, texts, answer);
    const identity = last === undefined ? next : unlessSame(last.identity, next);
    last = { texts, answer, identity };
    return identity;
  };
}

interface FileTexts {
  readonly ca: string | undefined;
  readonly cert: string | undefined;
  readonly key: string | undefined;
  readonly token: string | undefined;
}

async function readFiles({ ca, cert, key, token }: ConnectionSettings): Promise<FileTexts> {
  const [caPem, certPem, keyPem] = await Promise.all([readPem(ca), readPem(cert), readPem(key)]);
  if (caPem !== undefined) checkCertificates(caPem);
  checkPair(certPem, keyPem);
  return {
    ca: caPem?.text,
    cert: certPem?.text,
    key: keyPem?.text,
    token: token === undefined ? undefined : await readToken(token),
  };
}

async function readPem(source: Source | undefined): Promise<Pem | undefined> {
  if (source === undefined) return undefined;
  return { text: await readSource(source, 'CertificateInvalid'), name: nameOf(source) };
}

async function readToken(source: Source): Promise<string> {
  const token = (await readSource(source, 'TokenInvalid')).trim();
  if (/^[\x21-\x7e]+$/.test(token)) return token;
  throw new CredentialsError('TokenInvalid', {
    problem: `${nameOf(source)} holds no token.`,
    fix: 'A token is one line without blanks.',
  });
}

function hasFiles({ ca, cert, key, token }: ConnectionSettings): boolean {
  return [ca, cert, key, token].some((source) => source?.kind === 'file');
}

/** What a plug-in answers wins over what files say, as in client-go. */
function identityOf(
  { headers, serverName, isVerified }: ConnectionSettings,
  texts: FileTexts,
  answer: ExecCredential | undefined,
): Identity {
  const token = answer?.token ?? texts.token;
  const { cert, key } = answer?.cert === undefined ? texts : answer;
  return {
    tls: { ca: texts.ca, cert, key, serverName, isVerified },
    headers: token === undefined ? headers : { ...headers, authorization: `Bearer ${token}` },
  };
}

/** Keeps the old objects where nothing changed. */
function unlessSame(old: Identity, next: Identity): Identity {
  const hasSameTls = isSameTls(old.tls, next.tls);
  const hasSameHeaders = old.headers['authorization'] === next.headers['authorization'];
  if (hasSameTls && hasSameHeaders) return old;
  return { tls: hasSameTls ? old.tls : next.tls, headers: next.headers };
}

function isSameTls(a: TlsMaterial, b: TlsMaterial): boolean {
  return a.ca === b.ca && a.cert === b.cert && a.key === b.key;
}
