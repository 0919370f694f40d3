/** Bundles programs of a bench as `npm run build` bundles those that ship. */
import { join } from 'node:path';
import { build } from 'esbuild';

/** Makes `NAME.mjs` below `folder` of each source; gives the paths by name. */
export async function bundleForBench<Name extends string>(
  folder: string,
  sources: Readonly<Record<Name, string>>,
): Promise<(name: Name) => string> {
  await build({
    entryPoints: { ...sources },
    outdir: folder,
    outExtension: { '.js': '.mjs' },
    bundle: true,
    splitting: true,
    chunkNames: 'chunks/[name]-[hash]',
    platform: 'node',
    format: 'esm',
    target: 'node24',
    mainFields: ['module', 'main'],
    // What is written for CommonJS asks for Node's own modules with `require`.
    banner: {
      js: "import { createRequire } from 'node:module'; const require = createRequire(import.meta.url);",
    },
    legalComments: 'none',
    logLevel: 'warning',
  });
  return (name) => join(folder, `${name}.mjs`);
}
