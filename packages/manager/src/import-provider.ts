/**
 * `import()` of the module that `--cloud-provider` names. Ours stand here by name, so that the bundler
 * makes a chunk of each and a process loads only the provider that it uses.
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

/** Whether `import()` would find the module, told without running any of it. */
export function hasModule(specifier: string): boolean {
  try {
    const url = import.meta.resolve(specifier);
    return !url.startsWith('file:') || statSync(fileURLToPath(url)).isFile();
  } catch {
    // Whatever cannot be resolved or looked at cannot be loaded either.
    return false;
  }
}
