/** The limits of a provider, complete and checked: a limit that is none would let everything through. */
import type { Provider, ProviderLimits } from '../plug/index.ts';

export const limitsDefault: ProviderLimits = {
  // Ten calls for 5,000 nodes; clouds that take fewer in one request page inside the look-up.
  batchSize: 500,
  concurrency: 4,
  // A tenth of what the large clouds let one account read.
  callsPerSecond: 5,
  burst: 20,
  // Longer than the slowest of their pages, shorter than a person's patience.
  deadlineMs: 15_000,
};

/** Look-ups within this time become one call: less than a cloud takes, more than a burst of events. */
export const windowMsDefault = 10;

/** Questions that may wait: far more than a manager of 5,000 nodes has; past it something is wrong. */
export const waitingMax = 50_000;

/** What somebody set goes before what the provider says of itself. */
export function limitsOf(
  provider: Pick<Provider, 'name' | 'limits'>,
  settings: Partial<ProviderLimits> = {},
): ProviderLimits {
  const limits = { ...limitsDefault, ...provider.limits, ...settings };
  requireWhole(provider.name, 'batchSize', limits.batchSize);
  requireWhole(provider.name, 'concurrency', limits.concurrency);
  requireWhole(provider.name, 'burst', limits.burst);
  requirePositive(provider.name, 'callsPerSecond', limits.callsPerSecond);
  requirePositive(provider.name, 'deadlineMs', limits.deadlineMs);
  return limits;
}

function requireWhole(provider: string, limit: string, value: number): void {
  if (Number.isInteger(value) && value >= 1) return;
  throw new RangeError(`limits.${limit} of ${provider} must be a whole number of at least 1`);
}

function requirePositive(provider: string, limit: string, value: number): void {
  if (value > 0) return;
  throw new RangeError(`limits.${limit} of ${provider} must be a number above 0`);
}
