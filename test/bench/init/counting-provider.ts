/**
 * The provider static, with its look-ups counted: a module that `--cloud-provider` names by its path.
 * How many calls there were stands in the file beside the inventory whose name ends in `.calls`.
 */
import { writeFileSync } from 'node:fs';
import type { Provider, ProviderContext } from '@tandem/provider/plug';
import { createProvider as createStaticProvider } from '@tandem/provider-static';

export async function createProvider(context: ProviderContext): Promise<Provider> {
  const provider = await createStaticProvider(context);
  const file = callsFile(context.configPath ?? '');
  let calls = 0;
  return {
    ...provider,
    lookup(nodes, options) {
      calls += 1;
      writeFileSync(file, String(calls));
      return provider.lookup(nodes, options);
    },
  };
}

export function callsFile(inventory: string): string {
  return `${inventory}.calls`;
}
