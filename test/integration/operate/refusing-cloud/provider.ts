/** A provider whose credentials have expired, which its access check reports. */
import type { Provider } from '@tandem/provider/plug';

export async function createProvider(): Promise<Provider> {
  return {
    name: 'refusing',
    identify: (providerID) => (providerID.startsWith('refusing://') ? providerID : undefined),
    lookup: () => Promise.reject(expired()),
    checkAccess: () => Promise.reject(expired()),
  };
}

function expired(): Error {
  const message = 'The key of the account ops expired yesterday. Make a new one and mount it';
  return Object.assign(new Error(message), { code: 'KeyExpired', retry: 'never' });
}
