/** How hard a provider's look-ups may ask its cloud. */
import { requireLimits, requirePositive } from '../calls/index.ts';
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
  // Less than a cloud takes, more than a burst of events.
  gatherPauseMs: 10,
  gatherMsMax: 10,
};

/** Questions that may wait: far more than a manager of 5,000 nodes has; past it something is wrong. */
export const waitingMax = 50_000;

/** Configured limits override the provider's own. */
export function limitsOf(
  provider: Pick<Provider, 'name' | 'limits'>,
  settings: Partial<ProviderLimits> = {},
): ProviderLimits {
  const limits = { ...limitsDefault, ...provider.limits, ...settings };
  requireLimits(provider.name, limits);
  for (const limit of ['gatherPauseMs', 'gatherMsMax'] as const) {
    requirePositive(provider.name, limit, limits[limit]);
  }
  return limits;
}
