/**
 * `npm run sbom`: writes `dist/sbom.spdx.json`, or the file that `--output` names: the SPDX document of
 * all that the bundle holds. It needs no network: npm describes the lock file, and esbuild says what it
 * bundles.
 */
import { execFile } from 'node:child_process';
import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { bundlePrograms } from '../build/bundle.ts';
import { readOutput } from '../build/output-option.ts';
import { shippedPackages } from './shipped-packages.ts';

const root = join(import.meta.dirname, '..', '..');

async function bundledSources(): Promise<readonly string[]> {
  const output = await mkdtemp(join(tmpdir(), 'tandem-sbom-'));
  try {
    return (await bundlePrograms({ root, output })).sources;
  } finally {
    await rm(output, { recursive: true });
  }
}

const output =
  readOutput({ command: 'npm run sbom', value: 'FILE' }) ?? join(root, 'dist', 'sbom.spdx.json');
const describing = ['sbom', '--sbom-format=spdx', '--package-lock-only', '--offline'];
const described = await promisify(execFile)('npm', describing, {
  cwd: root,
  maxBuffer: 64 * 1024 * 1024,
});
const document = shippedPackages(JSON.parse(described.stdout), {
  lock: JSON.parse(await readFile(join(root, 'package-lock.json'), 'utf8')),
  sources: await bundledSources(),
});
await mkdir(dirname(output), { recursive: true });
await writeFile(output, `${JSON.stringify(document, undefined, 2)}\n`);
