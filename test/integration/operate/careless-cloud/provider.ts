/** A provider that throws an uncaught error shortly after it was loaded. */
import type { Provider } from '@tandem/provider/plug';

export async function createProvider(): Promise<Provider> {
  queueMicrotask(() => {
    throw new Error('nobody waits for this');
  });
  return {
    name: 'careless',
    identify: (providerID) => (providerID.startsWith('careless://') ? providerID : undefined),
    lookup: () => Promise.resolve(new Map()),
  };
}
