/** The bundles as they ship: which programs there are, and how esbuild is to treat them. */
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { build, type BuildOptions } from 'esbuild';
import { constantKeys } from './constant-keys.ts';
import { startLine } from './memory-settings.ts';

/** The programs and where they begin. */
const programs = {
  'cloud-controller-manager': 'packages/manager/src/main.ts',
  'kubectl-nodeip': 'packages/kubectl-nodeip/src/main.ts',
} as const;

/** How whatever ships is bundled. */
export const bundleSettings: BuildOptions = {
  bundle: true,
  splitting: true,
  chunkNames: 'chunks/[name]-[hash]',
  platform: 'node',
  format: 'esm',
  target: 'node24',
  // ES modules first: only these lose what is not used.
  mainFields: ['module', 'main'],
  plugins: [constantKeys],
  // What is written for CommonJS asks for Node's own modules with `require`.
  banner: {
    js: "import { createRequire as tandemRequire } from 'node:module'; const require = tandemRequire(import.meta.url);",
  },
  legalComments: 'linked',
  logLevel: 'warning',
};

/** Gives the paths of the programs. The folder runs wherever it is copied to. */
export async function bundlePrograms({
  root,
  output,
}: {
  readonly root: string;
  readonly output: string;
}): Promise<readonly string[]> {
  await mkdir(output, { recursive: true });
  await writeFile(join(output, 'package.json'), '{ "type": "module" }\n');
  const entryPoints = Object.entries(programs).map(([out, path]) => ({
    out,
    in: join(root, path),
  }));
  await build({ ...bundleSettings, entryPoints, outdir: output });
  const files = entryPoints.map(({ out }) => join(output, `${out}.js`));
  await Promise.all(files.map(putStartLine));
  return files;
}

/** In place of the first line of the source, which starts the program without any settings. */
async function putStartLine(file: string): Promise<void> {
  const text = await readFile(file, 'utf8');
  await writeFile(
    file,
    text.replace(/^#!.*$/m, () => startLine()),
  );
}
