/** The bundles that ship: the programs, and the settings of esbuild. */
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { build, type BuildOptions, type Metafile } from 'esbuild';
import { startLine } from './memory-settings.ts';
import { dropUnused } from './drop-unused.ts';

/** The programs and their entry points. */
const programs = {
  'cloud-controller-manager': 'packages/manager/src/main.ts',
  'kubectl-nodeip': 'packages/kubectl-nodeip/src/main.ts',
} as const;

/** What the manager runs as a thread. `sdk-thread.ts` beside it expects this name. */
const thread = { out: 'aws-sdk-thread', in: 'providers/aws/src/sdk/main.ts' } as const;

/** The settings for everything that ships. */
export const bundleSettings: BuildOptions = {
  bundle: true,
  splitting: true,
  chunkNames: 'chunks/[name]-[hash]',
  platform: 'node',
  format: 'esm',
  target: 'node24',
  // ES modules first, because esbuild drops unused code only from these.
  mainFields: ['module', 'main'],
  // CommonJS packages load Node's own modules with `require`.
  banner: {
    js: "import { createRequire as tandemRequire } from 'node:module'; const require = tandemRequire(import.meta.url);",
  },
  legalComments: 'linked',
  logLevel: 'warning',
};

interface Bundling {
  readonly root: string;
  readonly output: string;
  /** The commit that the programs show; undefined if it is not known. */
  readonly commit?: string | undefined;
  /** The program to bundle; all of them by default. */
  readonly only?: keyof typeof programs;
}

interface Bundled {
  /** The paths of the programs. They also run from a copy of the folder. */
  readonly programs: readonly string[];
  /** The files in the bundles, relative to the root. */
  readonly sources: readonly string[];
}

export async function bundlePrograms({ root, output, commit, only }: Bundling): Promise<Bundled> {
  await mkdir(output, { recursive: true });
  await writeFile(join(output, 'package.json'), '{ "type": "module" }\n');
  const entryPoints = Object.entries(programs)
    .filter(([out]) => only === undefined || out === only)
    .map(([out, path]) => ({ out, in: join(root, path) }));
  const { metafile } = await build({
    ...bundleSettings,
    ...(commit !== undefined && { define: { TANDEM_COMMIT: JSON.stringify(commit) } }),
    entryPoints,
    absWorkingDir: root,
    outdir: output,
    metafile: true,
  });
  const files = entryPoints.map(({ out }) => join(output, `${out}.js`));
  await Promise.all(files.map(putStartLine));
  const sources = sourcesOf(metafile);
  return only === 'kubectl-nodeip'
    ? { programs: files, sources }
    : { programs: files, sources: [...sources, ...(await bundleThread(root, output))] };
}

/** Returns the files in the bundle. */
async function bundleThread(root: string, output: string): Promise<readonly string[]> {
  const { outputFiles, metafile } = await build({
    ...bundleSettings,
    entryPoints: [{ out: thread.out, in: join(root, thread.in) }],
    absWorkingDir: root,
    outdir: output,
    // Inline, so that the comments stay with the code.
    legalComments: 'inline',
    metafile: true,
    write: false,
  });
  await dropUnused({ files: outputFiles, entry: join(output, `${thread.out}.js`), output });
  return sourcesOf(metafile);
}

/** The files of which the bundle contains any code. */
function sourcesOf({ outputs }: Metafile): string[] {
  const inputs = Object.values(outputs).flatMap((output) => Object.entries(output.inputs));
  return inputs.filter(([, { bytesInOutput }]) => bytesInOutput > 0).map(([path]) => path);
}

/** Replaces the first line of the source, which starts the program without any settings. */
async function putStartLine(file: string): Promise<void> {
  const text = await readFile(file, 'utf8');
  await writeFile(
    file,
    text.replace(/^#!.*$/m, () => startLine()),
  );
}
