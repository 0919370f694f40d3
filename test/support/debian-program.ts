/**
 * A program of a Debian package, for tests: the one on the PATH, else installed with apt-get where the
 * tests run as root. An answer in words says what stands in the way.
 */
import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import type { Environment } from '@tandem/runtime';
import { findOnPath } from './on-path.ts';

interface DebianProgram {
  readonly program: string;
  readonly package: string;
}

type Found =
  | { readonly kind: 'found'; readonly path: string }
  | { readonly kind: 'missing'; readonly reason: string };

/** Told that a package is installed, which takes some seconds. */
interface Sink {
  write(text: string): unknown;
}

export async function findDebianProgram(
  wanted: DebianProgram,
  environment: Environment,
  sink: Sink,
): Promise<Found> {
  const path = findOnPath(wanted.program, environment);
  if (path !== undefined) return { kind: 'found', path };
  const missing = (why: string): Found => ({
    kind: 'missing',
    reason: `There is no ${wanted.program} on the PATH, and ${why}. Install the package ${wanted.package}.`,
  });
  if (findOnPath('apt-get', environment) === undefined) return missing('there is no apt-get');
  if (process.getuid?.() !== 0) return missing('only root can install it');
  sink.write(`Installing the Debian package ${wanted.package}.\n`);
  try {
    await install(wanted.package, environment);
  } catch (err) {
    return missing(`apt-get cannot install it: ${lastLine(err)}`);
  }
  const installed = findOnPath(wanted.program, environment);
  return installed === undefined
    ? missing(`the package ${wanted.package} does not have it`)
    : { kind: 'found', path: installed };
}

async function install(name: string, environment: Environment): Promise<void> {
  const env = { ...environment, DEBIAN_FRONTEND: 'noninteractive' };
  const aptGet = async (...args: readonly string[]): Promise<unknown> =>
    promisify(execFile)('apt-get', [...waiting, ...args], { env });
  await aptGet('update');
  await aptGet('install', '--yes', '--no-install-recommends', name);
}

/** Another process may be installing something. */
const waiting = ['-o', 'DPkg::Lock::Timeout=120', '-o', 'Acquire::Retries=2'];

function lastLine(err: unknown): string {
  const text = String(Reflect.get(Object(err), 'stderr') ?? err);
  return text.trim().split('\n').at(-1) ?? '';
}
