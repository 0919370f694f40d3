/**
 * The sources of a certificate and its key: two files that an operator rotates, a directory that the first start fills,
 * or a self-signed pair that is renewed in time. A source can be read repeatedly.
 */
import { join } from 'node:path';
import type { Clock } from '@tandem/runtime';
import { createSelfSigned } from '../certificates/self-signed.ts';
import { codeOf, isMissing, type ServingFiles } from '../files.ts';
import { ServingError } from '../serving-error.ts';
import type { CertificateSource } from '../serving-settings.ts';
import { type KeyPair, readKeyPair } from './key-pair.ts';

export interface PairSource {
  /** The files, for errors and logs. */
  readonly name: string;
  /** Returns the current pair. Rejects with a `ServingError`. */
  read(): Promise<KeyPair>;
}

interface PairSourceParts {
  readonly files: ServingFiles;
  readonly clock: Clock;
  /** The names and addresses in a self-signed certificate. */
  readonly hosts: readonly string[];
}

/** Upstream's name of the files in `--cert-dir`. */
const pairName = 'cloud-controller-manager';

/** How long before it expires a self-signed certificate is replaced. */
const renewBeforeMs = 30 * 24 * 3_600_000;

export function pairSourceOf(source: CertificateSource, parts: PairSourceParts): PairSource {
  switch (source.kind) {
    case 'files':
      return fileSource(source, parts);
    case 'directory':
      return directorySource(source.directory, parts);
    case 'self-signed':
      return memorySource(parts);
    default:
      return source satisfies never;
  }
}

export function fileSource(
  { certFile, keyFile }: { readonly certFile: string; readonly keyFile: string },
  { files }: Pick<PairSourceParts, 'files'>,
): PairSource {
  return {
    name: `${certFile} and ${keyFile}`,
    async read() {
      const [cert, key] = await Promise.all([readText(files, certFile), readText(files, keyFile)]);
      return readKeyPair({
        cert: { text: cert, name: certFile },
        key: { text: key, name: keyFile },
      });
    },
  };
}

function directorySource(directory: string, parts: PairSourceParts): PairSource {
  const certFile = join(directory, `${pairName}.crt`);
  const keyFile = join(directory, `${pairName}.key`);
  const source = fileSource({ certFile, keyFile }, parts);
  let isFilled = false;
  return {
    name: source.name,
    async read() {
      if (!isFilled) await fill({ certFile, keyFile }, parts);
      isFilled = true;
      return source.read();
    },
  };
}

/** Writes a pair if both files are missing. A single file is an operator's mistake and stays unchanged. */
async function fill(
  { certFile, keyFile }: { certFile: string; keyFile: string },
  { files, clock, hosts }: PairSourceParts,
): Promise<void> {
  const isThere = await Promise.all([certFile, keyFile].map((path) => exists(files, path)));
  if (isThere.includes(true)) return;
  const made = createSelfSigned({ nowMs: clock.now(), hosts });
  try {
    await files.write(keyFile, made.key, 0o600);
    await files.write(certFile, made.cert, 0o644);
  } catch (err) {
    throw new ServingError('ServingCertificateInvalid', {
      problem: `Cannot write a certificate to ${certFile} (${codeOf(err)}).`,
      fix: 'Let the manager write to the directory of --cert-dir, or remove the flag.',
      cause: err,
    });
  }
}

function memorySource({ clock, hosts }: PairSourceParts): PairSource {
  const name = 'the generated certificate';
  let held: KeyPair | undefined;
  return {
    name,
    read() {
      const endsMs = held?.leaf.validToDate.getTime() ?? Number.NEGATIVE_INFINITY;
      if (held === undefined || clock.now() > endsMs - renewBeforeMs) {
        const made = createSelfSigned({ nowMs: clock.now(), hosts });
        held = readKeyPair({ cert: { text: made.cert, name }, key: { text: made.key, name } });
      }
      return Promise.resolve(held);
    },
  };
}

async function exists(files: ServingFiles, path: string): Promise<boolean> {
  try {
    await files.read(path);
    return true;
  } catch (err) {
    return !isMissing(err);
  }
}

async function readText(files: ServingFiles, path: string): Promise<string> {
  try {
    return await files.read(path);
  } catch (err) {
    throw new ServingError('ServingCertificateInvalid', {
      problem: isMissing(err)
        ? `${path} does not exist.`
        : `${path} cannot be read (${codeOf(err)}).`,
      fix: 'Use a file in PEM format that the manager can read.',
      cause: err,
    });
  }
}
