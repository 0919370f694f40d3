/**
 * A program of a Debian package, for tests: from the PATH, else installed with apt-get if the tests run as root. If
 * neither works, the result has the reason.
 */
import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { type Environment, systemEnvironment } from '@tandem/runtime';
import { findOnPath } from './on-path.ts';

interface DebianProgram {
  readonly program: string;
  readonly package: string;
}

type Found =
  | { readonly kind: 'found'; readonly path: string }
  | { readonly kind: 'missing'; readonly reason: string };

/** Gets a line when a package is installed, which takes some seconds. */
interface Sink {
  write(text: string): unknown;
}

/** Its path, for a `before` hook. Without the program it skips, or fails with `REQUIRE_BUILDAH=1` and the like. */
export async function debianProgramOrSkip(
  context: Mocha.Context,
  wanted: DebianProgram,
): Promise<string> {
  context.timeout(installMsMax);
  const found = await findDebianProgram(wanted, systemEnvironment(), process.stderr);
  return found.kind === 'found' ? found.path : skipWithout(context, wanted.program, found.reason);
}

const installMsMax = 10 * 60_000;

export function skipWithout(context: Mocha.Context, program: string, reason: string): never {
  process.stderr.write(`${reasonToSkip(program, reason, systemEnvironment())}\n`);
  context['skipReason'] = `no ${program}`;
  return context.skip();
}

/** The line to print when tests are skipped; throws if they must fail instead. */
export function reasonToSkip(program: string, reason: string, environment: Environment): string {
  if (environment[`REQUIRE_${program.toUpperCase()}`] === '1') throw new Error(reason);
  return `Skipping tests that need ${program}. ${reason}`;
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
