/**
 * Builds a small Go program of ours, or a public one, with Go, once: it is kept in the user's cache under a name that
 * changes with its sources, and moved to its place only when it is complete.
 */
import { execFile } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { mkdir, mkdtemp, rename, rm } from 'node:fs/promises';
import { homedir } from 'node:os';
import { isAbsolute, join } from 'node:path';
import { promisify } from 'node:util';
import type { Environment } from '@tandem/runtime';

export interface GoProgram {
  /** What it is called in the cache. */
  readonly name: string;
  /** What it is, for people who wait for it: `an elector of client-go`. */
  readonly title: string;
  /** Where its module is: `go.mod`, `go.sum` and the sources, without folders below. */
  readonly folder: string;
  /** What to build, where that is a public package that the module has as a tool. */
  readonly package?: string;
}

/** The path of the program; `undefined` where there is no Go to build it with. */
export async function buildGoProgram(
  program: GoProgram,
  environment: Environment,
  /** Told that it takes a while. */
  sink: { write(text: string): unknown },
): Promise<string | undefined> {
  const directory = join(cacheHome(environment), 'tandem', program.name);
  const file = join(directory, fileName(program));
  if (existsSync(file)) return file;
  sink.write(`Building ${program.title}, once, into ${directory}; this takes minutes.\n`);
  await mkdir(directory, { recursive: true });
  const scratch = await mkdtemp(join(directory, 'building-'));
  try {
    const built = join(scratch, program.name);
    await promisify(execFile)('go', ['build', ...buildFlags, '-o', built, program.package ?? '.'], {
      cwd: program.folder,
      env: { ...environment, CGO_ENABLED: '0', GOWORK: 'off' },
    });
    await rename(built, file);
    return file;
  } catch (err) {
    if (isMissing(err)) return undefined;
    throw err;
  } finally {
    await rm(scratch, { recursive: true, force: true });
  }
}

/** As the control plane is built, so that Go has most packages already where that was built before. */
const buildFlags = ['-ldflags=-s -w'];

/** Different for everything that may come out differently. */
function fileName({ name, folder }: GoProgram): string {
  const digest = createHash('sha256');
  for (const source of readdirSync(folder).filter(isSource).toSorted()) {
    digest.update(source).update(readFileSync(join(folder, source)));
  }
  return `${name}-${process.platform}-${process.arch}-${digest.digest('hex').slice(0, 8)}`;
}

function isSource(name: string): boolean {
  return name.endsWith('.go') || name === 'go.mod' || name === 'go.sum';
}

function isMissing(err: unknown): boolean {
  return err instanceof Error && 'code' in err && err.code === 'ENOENT';
}

/** The XDG base directory; a relative one is to be ignored, says its specification. */
function cacheHome(environment: Environment): string {
  const named = environment['XDG_CACHE_HOME'] ?? '';
  return isAbsolute(named) ? named : join(environment['HOME'] ?? homedir(), '.cache');
}
