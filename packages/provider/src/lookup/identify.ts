/**
 * The key of the instance that a providerID names, as a provider gives it. A provider that throws or
 * gives something that is no key does not know the instance, and what is not known is left alone.
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
