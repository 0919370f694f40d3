/** Implements `--cloud-provider=azure`: virtual machines and scale sets of Microsoft Azure. */
import type { Provider, ProviderContext } from '@tandem/provider/plug';
import { createAzureProvider } from './azure-provider.ts';

export function createProvider(context: ProviderContext): Promise<Provider> {
  return createAzureProvider(context);
}
