/** Implements `--cloud-provider=static --cloud-config=inventory.yaml`, the provider for bare metal. */
import type { Provider, ProviderContext } from '@tandem/provider/plug';
import { createStaticProvider } from './static-provider.ts';

export type { FileSystem } from './file-system.ts';
export { InventoryError, type InventoryErrorCode } from './problem.ts';
export { inventoryInstances, inventoryIsStale, inventoryRefusedEntries } from './static-metrics.ts';
export { createStaticProvider } from './static-provider.ts';

export function createProvider(context: ProviderContext): Promise<Provider> {
  return createStaticProvider(context);
}
