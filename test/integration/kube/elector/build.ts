/**
 * Builds the upstream elector with Go, once: it is kept in the user's cache under a name that changes
 * with its sources, and moved to its place only when it is complete.
 */
import { execFile } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, readFileSync } from 'node:fs';
import { mkdir, mkdtemp, rename, rm } from 'node:fs/promises';
import { homedir } from 'node:os';
import { isAbsolute, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import type { Environment } from '@tandem/runtime';

const folder = fileURLToPath(new URL('.', import.meta.url));

/** The path of the program; `undefined` where there is no Go to build it with. */
export async function buildUpstreamElector(
  environment: Environment,
  /** Told that it takes a while. */
  sink: { write(text: string): unknown },
): Promise<string | undefined> {
  const directory = join(cacheHome(environment), 'tandem', 'upstream-elector');
  const file = join(directory, sourceKey());
  if (existsSync(file)) return file;
  sink.write(`Building an elector of client-go, once, into ${directory}; this takes minutes.\n`);
  await mkdir(directory, { recursive: true });
  const scratch = await mkdtemp(join(directory, 'building-'));
  try {
    const built = join(scratch, 'elector');
    await promisify(execFile)('go', ['build', '-trimpath', '-ldflags=-s -w', '-o', built, '.'], {
      cwd: folder,
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

/** Different for everything that may come out differently. */
function sourceKey(): string {
  const digest = createHash('sha256');
  for (const name of ['go.mod', 'go.sum', 'main.go'])
    digest.update(readFileSync(join(folder, name)));
  return `elector-${process.platform}-${process.arch}-${digest.digest('hex').slice(0, 8)}`;
}

function isMissing(err: unknown): boolean {
  return err instanceof Error && 'code' in err && err.code === 'ENOENT';
}

/** The XDG base directory; a relative one is to be ignored, says its specification. */
function cacheHome(environment: Environment): string {
  const named = environment['XDG_CACHE_HOME'] ?? '';
  return isAbsolute(named) ? named : join(environment['HOME'] ?? homedir(), '.cache');
}
