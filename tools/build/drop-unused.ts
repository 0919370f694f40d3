/**
 * Drops unused code from modules that esbuild has bundled. The SDK of AWS describes some 700 calls of EC2 in one
 * module, of which the manager makes eight. esbuild keeps all descriptions, because their keys are computed; Rollup
 * sees that the keys are constants. The WebAssembly build of Rollup runs wherever Node.js does.
 */
import { dirname, resolve } from 'node:path';
import { type Plugin, rollup } from '@rollup/wasm-node';
import type { OutputFile } from 'esbuild';

export async function dropUnused(options: {
  /** The output of esbuild: modules that import each other and Node.js's own modules. */
  readonly files: readonly OutputFile[];
  /** The path of the entry point. */
  readonly entry: string;
  readonly output: string;
}): Promise<void> {
  const { files, entry, output } = options;
  const bundle = await rollup({
    input: entry,
    plugins: [fromMemory(files)],
    external: (id) => !/^[./]/.test(id),
    onLog: (level, log, handle) => {
      if (!expectedLogs.has(log.code)) handle(level, log);
    },
  });
  await bundle.write({ dir: output, format: 'esm', chunkFileNames: 'chunks/[name]-[hash].js' });
  await bundle.close();
}

/** Modules of the SDK import each other in cycles, and import unused names. */
const expectedLogs: ReadonlySet<string | undefined> = new Set([
  'CIRCULAR_DEPENDENCY',
  'UNUSED_EXTERNAL_IMPORT',
]);

function fromMemory(files: readonly OutputFile[]): Plugin {
  const texts = new Map(files.map(({ path, text }) => [path, text]));
  return {
    name: 'from-memory',
    resolveId(id, importer) {
      const path = importer === undefined ? id : resolve(dirname(importer), id);
      return texts.has(path) ? path : null;
    },
    load: (path) => texts.get(path),
  };
}
