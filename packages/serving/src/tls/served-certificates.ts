/**
 * The certificates that the secure port serves, kept up to date with their sources. If a source cannot be read at startup,
 * or its files do not match, the start is refused. Later that is a warning, and the last good pair stays, because a
 * rotation takes several steps. An expired certificate is served, with a warning.
 */
import type { X509Certificate } from 'node:crypto';
import { createSecureContext, type SecureContext, type SecureContextOptions } from 'node:tls';
import type { Clock, Logger } from '@tandem/runtime';
import { codeOf } from '../files.ts';
import type { HealthOutcome } from '../pages.ts';
import { ServingError } from '../serving-error.ts';
import type { KeyPair } from './key-pair.ts';
import type { PairSource } from './pair-source.ts';

interface ServedCertificatesOptions {
  readonly main: PairSource;
  readonly byName: readonly { readonly source: PairSource; readonly names: readonly string[] }[];
  readonly tls: SecureContextOptions;
  /** Returns a warning about what does not work with this certificate; undefined if everything works. */
  readonly warningOf: (pair: KeyPair) => string | undefined;
  readonly clock: Clock;
  readonly logger: Logger;
  /** Called with the main pair, and again whenever it changes. */
  readonly onMain: (pair: KeyPair) => void;
}

export class ServedCertificates {
  readonly #options: ServedCertificatesOptions;
  readonly #entries: Entry[];
  #byName: ReadonlyMap<string, SecureContext> = new Map();

  constructor(options: ServedCertificatesOptions) {
    this.#options = options;
    const { main, byName } = options;
    this.#entries = [
      new Entry(main, []),
      ...byName.map(({ source, names }) => new Entry(source, names)),
    ];
  }

  /** Reads everything for the first time. Rejects with a `ServingError`. */
  async load(): Promise<void> {
    for (const entry of this.#entries) this.#took(entry, await entry.read());
  }

  /** Reads everything again. Never rejects. */
  async refresh(): Promise<void> {
    for (const entry of this.#entries) {
      try {
        this.#took(entry, await entry.read());
        entry.toldProblem = undefined;
      } catch (err) {
        this.#failed(entry, err);
      }
      this.#tellExpiry(entry);
    }
  }

  /** Returns the context for the name in a client's handshake; undefined for the main one. */
  contextFor(name: string): SecureContext | undefined {
    return findByName(this.#byName, name);
  }

  /** Returns a warning after expiry, not a failure: a restart would not help, and clients that verify notice it. */
  health(): HealthOutcome {
    const expired = this.#entries.filter((entry) => this.#isExpired(entry));
    return expired.length === 0 ? { ok: true } : { ok: true, warning: 'certificate has expired' };
  }

  #took(entry: Entry, pair: KeyPair): void {
    const { tls, onMain, logger, warningOf } = this.#options;
    const before = entry.pair;
    if (before?.cert === pair.cert && before.key === pair.key) return;
    entry.context = contextOf(tls, pair, entry.name);
    entry.pair = pair;
    entry.hasToldExpiry = false;
    if (entry === this.#entries[0]) onMain(pair);
    else this.#byName = this.#contextsByName();
    const { subject, validTo } = pair.leaf;
    if (before !== undefined) logger.info({ subject, validTo }, 'Reloaded the serving certificate');
    const problem = warningOf(pair);
    if (problem !== undefined) logger.warn({ subject, problem }, 'TLS 1.2 clients cannot connect');
    this.#tellExpiry(entry);
  }

  /** If several certificates have the same name, the first one is served for it. */
  #contextsByName(): ReadonlyMap<string, SecureContext> {
    const contexts = new Map<string, SecureContext>();
    for (const { pair, context, names } of this.#entries.slice(1)) {
      if (pair === undefined || context === undefined) continue;
      const all = names.length > 0 ? names : namesOf(pair.leaf);
      for (const name of all.map((each) => each.toLowerCase())) {
        if (!contexts.has(name)) contexts.set(name, context);
      }
    }
    return contexts;
  }

  #failed(entry: Entry, err: unknown): void {
    const problem = err instanceof Error ? err.message : 'unknown';
    if (problem === entry.toldProblem) return;
    entry.toldProblem = problem;
    this.#options.logger.warn(
      { problem },
      'Kept the previous serving certificate, the new one is unusable',
    );
  }

  #tellExpiry(entry: Entry): void {
    if (entry.hasToldExpiry || !this.#isExpired(entry)) return;
    entry.hasToldExpiry = true;
    const { subject, validTo } = entry.pair?.leaf ?? {};
    this.#options.logger.warn({ subject, validTo }, 'Serving certificate expired');
  }

  #isExpired({ pair }: Entry): boolean {
    return pair !== undefined && this.#options.clock.now() > pair.leaf.validToDate.getTime();
  }
}

/** OpenSSL also refuses weak certificates, such as those with short keys. */
function contextOf(tls: SecureContextOptions, { cert, key }: KeyPair, name: string): SecureContext {
  try {
    return createSecureContext({ ...tls, cert, key });
  } catch (err) {
    throw new ServingError('ServingCertificateInvalid', {
      problem: `Cannot serve TLS with ${name} (${codeOf(err)}).`,
      fix: 'Use a certificate with a key of at least 2048 bits (RSA) or 256 bits (EC).',
      cause: err,
    });
  }
}

class Entry {
  readonly #source: PairSource;
  readonly names: readonly string[];
  pair: KeyPair | undefined;
  context: SecureContext | undefined;
  hasToldExpiry = false;
  toldProblem: string | undefined;

  constructor(source: PairSource, names: readonly string[]) {
    this.#source = source;
    this.names = names;
  }

  get name(): string {
    return this.#source.name;
  }

  read(): Promise<KeyPair> {
    return this.#source.read();
  }
}

/**
 * Returns the certificate for the name in a client's handshake; undefined for the default. As in Go, an exact name takes
 * precedence over a pattern, and a pattern matches only one label.
 */
function findByName<T>(byName: ReadonlyMap<string, T>, asked: string): T | undefined {
  const name = asked.toLowerCase().replace(/\.$/, '');
  const [, ...rest] = name.split('.');
  return byName.get(name) ?? byName.get(['*', ...rest].join('.'));
}

/** Returns the host names of a certificate, or its common name if it has none. */
function namesOf(certificate: X509Certificate): readonly string[] {
  const listed = (certificate.subjectAltName ?? '')
    .split(', ')
    .filter((entry) => entry.startsWith('DNS:'))
    .map((entry) => entry.slice('DNS:'.length))
    // A name with quotes is not a host name.
    .filter((name) => !name.includes('"'));
  if (certificate.subjectAltName !== undefined) return listed;
  const { CN } = certificate.toLegacyObject().subject;
  return typeof CN === 'string' ? [CN] : [];
}
