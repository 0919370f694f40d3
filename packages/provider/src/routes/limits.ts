/** How hard a provider's route tables may be asked. */
import { requireLimits } from '../calls/index.ts';
import type { Provider, RouteLimits, Routes } from '../plug/index.ts';

export const routeLimitsDefault: RouteLimits = {
  // Fifty calls for the routes of 5,000 nodes in one family; clouds that write one by one set 1.
  batchSize: 100,
  // Clouds that write a table as a whole refuse two writes at once.
  concurrency: 1,
  // A fifth of what the large clouds let one account write.
  callsPerSecond: 2,
  burst: 10,
  // Writing a table as a whole takes a minute in the slowest of them.
  deadlineMs: 60_000,
};

export function routeLimitsOf(
  { name }: Pick<Provider, 'name'>,
  { limits }: Pick<Routes, 'limits'>,
): RouteLimits {
  return requireLimits(`the routes of ${name}`, { ...routeLimitsDefault, ...limits });
}
