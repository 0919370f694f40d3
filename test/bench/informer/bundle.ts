/** Bundles the measured program as `npm run build` bundles those that ship. */
import { join } from 'node:path';
import { build } from 'esbuild';

/** Gives the path of the program below `folder`. */
export async function bundleMeasured(folder: string): Promise<string> {
  await build({
    entryPoints: { measured: join(import.meta.dirname, 'measured', 'main.ts') },
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
  return join(folder, 'measured.mjs');
}
