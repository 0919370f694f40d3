/**
 * A leader's writes to a slow cloud: one batch of routes after the other, through the code that controllers use. Every
 * change takes a while, so that most of a batch is not sent yet when the leader is paused. Each request is recorded
 * when it is sent.
 */
import { appendFileSync } from 'node:fs';
import type { RouteOperation, Routes } from '@tandem/provider/plug';
import { RouteTables } from '@tandem/provider/routes';
import { type Clock, type Metrics, sleep } from '@tandem/runtime';

/** Far longer than a test needs to pause the sender before the answer. */
const answerMs = 500;

/** More than the whole test sends, so that the batch continues after the pause. */
const batchSize = 50;

/** Far longer than any pause, so that only the gate can stop a batch. */
const deadlineMs = 10 * 60_000;

interface RouteWriterOptions {
  readonly clock: Clock;
  readonly metrics: Metrics;
  /** The file of the record, one time in milliseconds a line. */
  readonly record: string;
  readonly writeGate: () => Error | undefined;
  readonly say: (event: 'wrote' | 'refused') => void;
}

/** Returns a function that sends a batch and waits for its outcome. */
export function routeWriter(options: RouteWriterOptions): () => Promise<void> {
  const { clock, metrics, writeGate, say } = options;
  const routes = slowRoutes(options);
  const tables = new RouteTables({ provider: { name: 'slow' }, routes, clock, metrics });
  const to = { key: 'a', name: 'a', addresses: { IPv4: '10.0.0.1' } };
  const operations = Array.from({ length: batchSize }, (_, number): RouteOperation => ({
    kind: 'create',
    table: 'main',
    destination: `10.244.${number}.0/24`,
    to,
  }));
  const beforeWrite = (): void => {
    const refusal = writeGate();
    if (refusal !== undefined) throw refusal;
  };
  return async () => {
    const { signal } = new AbortController();
    const results = await tables.apply(operations, { signal, beforeWrite });
    if (results.some(({ kind }) => kind !== 'applied')) say('refused');
  };
}

function slowRoutes({ clock, record, say }: RouteWriterOptions): Routes {
  return {
    families: ['IPv4'],
    limits: { batchSize, callsPerSecond: 1_000, burst: 1_000, deadlineMs },
    list: async () => ({ asOfMs: clock.monotonic(), tables: [{ id: 'main', routes: [] }] }),
    async apply(operations, { beforeWrite }) {
      for (const _ of operations) {
        beforeWrite();
        appendFileSync(record, `${clock.now()}\n`);
        say('wrote');
        await sleep(clock, answerMs);
      }
      return operations.map(() => ({ kind: 'applied' }));
    },
  };
}
