/**
 * `import()` of the module that `--cloud-provider` names. Our own providers are imported by literal names, so that the
 * bundler makes a chunk of each and a process loads only the one that it uses.
 */
import { statSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import type { Importer } from '@tandem/provider/module';

export const importProvider: Importer = async (source) => {
  if (source.kind === 'module') return import(source.specifier);
  switch (source.name) {
    case 'aws':
      return import('@tandem/provider-aws');
    case 'azure':
      return import('@tandem/provider-azure');
    case 'static':
      return import('@tandem/provider-static');
    case 'simulated':
      return import('@tandem/provider-simulated');
  }
};

/** Whether `import()` would find the module. Runs none of it. */
export function hasModule(specifier: string): boolean {
  try {
    const url = import.meta.resolve(specifier);
    return !url.startsWith('file:') || statSync(fileURLToPath(url)).isFile();
  } catch {
    // A module that cannot be resolved or read cannot be loaded either.
    return false;
  }
}
