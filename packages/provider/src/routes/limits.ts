/** The default limits of calls to route tables. */
import { requireLimits, requirePositive } from '../calls/index.ts';
import type { Provider, RouteLimits, Routes } from '../plug/index.ts';

const routeLimitsDefault: RouteLimits = {
  // Fifty calls for the routes of 5,000 nodes in one family; clouds that write one by one set 1.
  batchSize: 100,
  // Clouds that write a table as a whole refuse two writes at once.
  concurrency: 1,
  // A fifth of what the large clouds let one account write.
  callsPerSecond: 2,
  burst: 10,
  // Writing a table as a whole takes a minute in the slowest of them.
  deadlineMs: 60_000,
  // Nodes that keep changing still get their routes within a second.
  gatherMsMax: 500,
};

export function routeLimitsOf(
  { name }: Pick<Provider, 'name'>,
  { limits }: Pick<Routes, 'limits'>,
): RouteLimits {
  const owner = `the routes of ${name}`;
  const all = { ...routeLimitsDefault, ...limits };
  requireLimits(owner, all);
  requirePositive(owner, 'gatherMsMax', all.gatherMsMax);
  return all;
}
