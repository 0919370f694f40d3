/**
 * A process that looks up one instance with the credentials that its SDK finds. It does so once for each line of its
 * input, a minute apart, and prints each outcome on a line.
 */
import { createInterface } from 'node:readline';
import { createLogger, createMetrics } from '@tandem/runtime';
import { seededRandom, virtualClock } from '@tandem/runtime/testing';
import { createProvider } from './index.ts';

const [configPath = '', endpoint = '', providerID = ''] = process.argv.slice(2);
const clock = virtualClock();
const { signal } = new AbortController();
const provider = await createProvider({
  configPath,
  clock,
  random: seededRandom('aws'),
  logger: createLogger({ clock, destination: { write: () => {} } }),
  metrics: createMetrics(),
  // The process environment is not passed on, because the SDK's credential chain reads it directly.
  environment: { AWS_ENDPOINT_URL_EC2: endpoint },
  clusterName: 'kubernetes',
  clusterCIDRs: [],
  signal,
});
const node = { name: 'node', uid: 'uid', providerID, labels: {}, systemUUID: '' };
for await (const _ of createInterface({ input: process.stdin })) {
  const answer = (await provider.lookup([node], { maxAgeMs: 0, signal })).get('node');
  const outcome = answer?.kind === 'unknown' ? answer.err.message : String(answer?.kind);
  process.stdout.write(`${outcome}\n`);
  await clock.advance(60_000);
}
await provider.close?.();
