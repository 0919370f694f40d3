/**
 * Credentials that follow their sources: files are read again every half minute, and a plug-in is called
 * again before its answer expires. After a server refused them, everything is read again, including the
 * kubeconfig. An identity stays the same object while nothing changed, so that connections are kept.
 */
import { isDeepStrictEqual } from 'node:util';
import type { Clock, Environment } from '@tandem/runtime';
import { checkCertificates, checkPair, type Pem } from './check-pem.ts';
import { expiryReporter, type UsedCredentials } from './credentials-expiry.ts';
import { CredentialsError, type FoundCredentials, type Identity } from './credentials.ts';
import type { ExecCredential } from './exec-credential.ts';
import type { ExecSettings } from './exec-settings.ts';
import { askExecPlugin, freshMsOf, goodMsOf } from './exec-plugin.ts';
import { type CredentialsTelemetry, refreshTelemetry } from './refresh-telemetry.ts';
import { Refreshing } from './refreshing.ts';
import { type ConnectionSettings, nameOf, readSource, type Source } from './settings.ts';

/** The kubelet replaces a token long before it expires, so this is soon enough. */
const rereadMs = 30_000;

/** The minimum time between two reads of the files, however often requests are refused. */
const renewFilesEveryMs = 1_000;

/** A plug-in may start a program, call a cloud or cost money. */
const renewPluginEveryMs = 10_000;

export interface CredentialsOptions {
  readonly clock: Clock;
  readonly environment: Environment;
  readonly telemetry: CredentialsTelemetry | undefined;
  /** The flag that names the kubeconfig, without dashes. */
  readonly flag: string;
  /** Reads the settings again, in case the file was rewritten. */
  readonly reread: () => Promise<ConnectionSettings>;
}

export function createCredentials(
  settings: ConnectionSettings,
  options: CredentialsOptions,
): FoundCredentials {
  const { server, origin } = settings;
  const files = createFiles(settings, options);
  const pluginOf = plugins(options);
  const combine = combiner(expiryReporter(options.telemetry, options.flag));

  const identity = async (): Promise<Identity> => {
    const read = await files.get();
    return combine(read, await pluginOf(read)?.get());
  };

  /** A plug-in can renew the held credentials even if the kubeconfig is gone or invalid. */
  const renewFiles = async (): Promise<ReadSettings> => {
    const held = await files.get();
    if (pluginOf(held) === undefined) return files.renew();
    return files.renew().catch(() => held);
  };

  return {
    server,
    origin,
    identity,
    async renew(refused) {
      const current = await identity();
      if (current !== refused) return current;
      const read = await renewFiles();
      const renewed = combine(read, await pluginOf(read)?.renew());
      if (renewed === refused) return undefined;
      const facts = { credentials: origin.name };
      options.telemetry?.logger.info(facts, 'Read new credentials after a refusal');
      return renewed;
    },
  };
}

/** Settings and the contents of their files. */
interface ReadSettings {
  readonly settings: ConnectionSettings;
  readonly texts: FileTexts;
}

function createFiles(
  first: ConnectionSettings,
  { clock, telemetry, reread }: CredentialsOptions,
): Refreshing<ReadSettings> {
  let known = first;
  return new Refreshing({
    clock,
    load: async (why) => {
      const settings = why === 'refused' ? ofServer(first.server, await reread()) : known;
      const texts = await readFiles(settings);
      known = settings;
      return { settings, texts };
    },
    freshMs: ({ settings }) => (hasFiles(settings) ? rereadMs : Number.POSITIVE_INFINITY),
    // A rotation is not atomic: a file may briefly be missing or not match the other.
    goodMs: () => Number.POSITIVE_INFINITY,
    renewEveryMs: renewFilesEveryMs,
    telemetry: refreshTelemetry(telemetry, 'files'),
  });
}

/** The credentials of another server are never sent to this one. */
function ofServer(server: string, settings: ConnectionSettings): ConnectionSettings {
  if (settings.server === server) return settings;
  throw new CredentialsError('ServerAddressChanged', {
    problem: `The server in ${settings.origin.name} is now ${settings.server}, but the program is connected to ${server}.`,
    fix: 'Restart the program to use the new address, or restore the old address with new credentials.',
  });
}

type Plugin = Refreshing<ExecCredential>;

/** The plug-in of the settings; the same one while its settings are equal. */
function plugins({
  clock,
  environment,
  telemetry,
}: CredentialsOptions): (read: ReadSettings) => Plugin | undefined {
  let last: { readonly exec: ExecSettings; readonly plugin: Plugin } | undefined;
  const create = (settings: ExecSettings): Plugin =>
    new Refreshing({
      clock,
      load: () => askExecPlugin({ settings, environment, clock }),
      freshMs: (credential) => freshMsOf(credential, clock),
      goodMs: (credential) => goodMsOf(credential, clock),
      renewEveryMs: renewPluginEveryMs,
      telemetry: refreshTelemetry(telemetry, 'plugin'),
    });
  return ({ settings: { exec } }) => {
    if (exec === undefined) return undefined;
    if (last?.exec === exec) return last.plugin;
    const isSame = last !== undefined && isDeepStrictEqual(last.exec, exec);
    last = { exec, plugin: isSame && last !== undefined ? last.plugin : create(exec) };
    return last.plugin;
  };
}

/** Combines the two sources into an identity; the same one while the sources are equal. */
function combiner(
  reportExpiry: (used: UsedCredentials) => void,
): (read: ReadSettings, answer: ExecCredential | undefined) => Identity {
  let last:
    | { read: ReadSettings; answer: ExecCredential | undefined; identity: Identity }
    | undefined;
  return (read, answer) => {
    if (last?.read === read && last.answer === answer) return last.identity;
    const used = usedOf(read, answer);
    reportExpiry(used);
    const next = identityOf(read, used);
    const identity = last === undefined ? next : unlessSame(last.identity, next);
    last = { read, answer, identity };
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
    problem: `${nameOf(source)} contains no valid token.`,
    fix: 'A token is one line without spaces.',
  });
}

function hasFiles({ ca, cert, key, token }: ConnectionSettings): boolean {
  return [ca, cert, key, token].some((source) => source?.kind === 'file');
}

/** The answer of a plug-in overrides files, as in client-go. */
function usedOf({ texts }: ReadSettings, answer: ExecCredential | undefined): ExecCredential {
  const { cert, key } = answer?.cert === undefined ? texts : answer;
  return { cert, key, token: answer?.token ?? texts.token, expiresAtMs: answer?.expiresAtMs };
}

function identityOf(
  { settings, texts }: ReadSettings,
  { cert, key, token }: ExecCredential,
): Identity {
  const { headers, serverName, isVerified } = settings;
  return {
    tls: { ca: texts.ca, cert, key, serverName, isVerified },
    headers: token === undefined ? headers : { ...headers, authorization: `Bearer ${token}` },
  };
}

/** Keeps the old objects if nothing changed. */
function unlessSame(old: Identity, next: Identity): Identity {
  const hasSameTls = isDeepStrictEqual(old.tls, next.tls);
  if (hasSameTls && isDeepStrictEqual(old.headers, next.headers)) return old;
  return { tls: hasSameTls ? old.tls : next.tls, headers: next.headers };
}
