/** The default limits of look-ups. */
import { requireLimits, requirePositive } from '../calls/index.ts';
import type { Provider, ProviderLimits } from '../plug/index.ts';

export const limitsDefault: ProviderLimits = {
  // Ten calls for 5,000 nodes. A cloud that accepts fewer in one request pages inside the look-up.
  batchSize: 500,
  concurrency: 4,
  // A tenth of the reads that the large clouds allow an account.
  callsPerSecond: 5,
  burst: 20,
  // Longer than the slowest page of these clouds, shorter than a person is willing to wait.
  deadlineMs: 15_000,
  // Shorter than a call takes, longer than a burst of events.
  gatherPauseMs: 10,
  gatherMsMax: 10,
};

/** The maximum number of waiting questions: far more than 5,000 nodes need, so reaching it means a fault. */
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
