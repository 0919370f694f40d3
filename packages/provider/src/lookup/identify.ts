/**
 * Asks the provider for the key of the instance that a providerID names. If the provider throws or returns something that
 * is not a key, the instance is unknown and the node is left alone.
 */
import type { InstanceKey, Provider } from '../plug/index.ts';

export function identify(
  provider: Pick<Provider, 'identify'>,
  providerID: string,
): InstanceKey | undefined {
  if (providerID === '') return undefined;
  try {
    const key: unknown = provider.identify(providerID);
    return typeof key === 'string' && key !== '' ? key : undefined;
  } catch {
    return undefined;
  }
}
