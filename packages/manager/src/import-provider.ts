/**
 * `import()` of the module that `--cloud-provider` names. Ours stand here by name, so that the bundler
 * makes a chunk of each and nobody loads what he does not use.
 */
import type { Importer } from '@tandem/provider/module';

export const importProvider: Importer = async (source) => {
  if (source.kind === 'module') return import(source.specifier);
  switch (source.name) {
    case 'static':
      return import('@tandem/provider-static');
    case 'simulated':
      return import('@tandem/provider-simulated');
  }
};
