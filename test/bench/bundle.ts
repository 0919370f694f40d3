/** Bundles programs of a bench as `npm run build` bundles those that ship. */
import { join } from 'node:path';
import { build } from 'esbuild';
import { bundleSettings } from '../../tools/build/bundle.ts';

/** Bundles each source into `NAME.mjs` below `folder`. Returns a function from name to path. */
export async function bundleForBench<Name extends string>(
  folder: string,
  sources: Readonly<Record<Name, string>>,
): Promise<(name: Name) => string> {
  await build({
    ...bundleSettings,
    entryPoints: { ...sources },
    outdir: folder,
    outExtension: { '.js': '.mjs' },
    legalComments: 'none',
  });
  return (name) => join(folder, `${name}.mjs`);
}
