/** Verifies a client's chain with `openssl verify`, with options that match the secure port. */
import { execFile, execFileSync } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import type { Issued } from './issue.fixture.ts';

export interface ClientChain {
  readonly pool: readonly Issued[];
  readonly leaf: Issued;
  readonly others: readonly Issued[];
}

/** Returns undefined if there is no openssl on the PATH. */
export function opensslVersion(): string | undefined {
  try {
    return execFileSync('openssl', ['version'], { encoding: 'utf8' }).trim();
  } catch {
    return undefined;
  }
}

/** Returns `OK` or openssl's reasons. */
export async function opensslVerdict(chain: ClientChain, nowMs: number): Promise<string> {
  const directory = await mkdtemp(join(tmpdir(), 'tandem-openssl-'));
  try {
    const files = { pool: chain.pool, others: chain.others, leaf: [chain.leaf] };
    for (const [name, certificates] of Object.entries(files)) {
      await writeFile(
        join(directory, name),
        certificates.map(({ certPem }) => certPem).join('') || '\n',
      );
    }
    const options = [
      '-no-CAfile',
      '-no-CApath',
      '-no-CAstore',
      '-partial_chain',
      '-purpose',
      'sslclient',
      '-attime',
      String(nowMs / 1000),
      ...(chain.pool.length > 0 ? ['-trusted', 'pool'] : []),
      ...(chain.others.length > 0 ? ['-untrusted', 'others'] : []),
    ];
    return await run(['verify', ...options, 'leaf'], directory);
  } finally {
    await rm(directory, { recursive: true, force: true });
  }
}

async function run(args: readonly string[], cwd: string): Promise<string> {
  try {
    const { stdout } = await promisify(execFile)('openssl', args, { cwd });
    return stdout.trim() === 'leaf: OK' ? 'OK' : stdout;
  } catch (err) {
    // Exit code 2 means a refused chain. Any other code is a mistake in this file.
    const { code, stderr } = err as { code?: unknown; stderr?: string };
    if (code !== 2 || !/^error \d+ at \d+ depth lookup/m.test(stderr ?? '')) throw err;
    return stderr ?? '';
  }
}
