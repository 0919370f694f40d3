/** Route tables in virtual time, with a provider whose calls the test answers one by one. */
import { createMetrics } from '@tandem/runtime';
import { virtualClock, type VirtualClock } from '@tandem/runtime/testing';
import type {
  Route,
  RouteLimits,
  RouteListing,
  RouteOperation,
  RouteOutcome,
} from '../plug/index.ts';
import { RouteTables } from './route-tables.ts';

export const aRoute = (changes: Partial<Route> = {}): Route => ({
  id: 'r-1',
  destination: '10.244.0.0/24',
  ours: true,
  target: { kind: 'instance', key: 'i-1', ready: true },
  ...changes,
});

export const aCreate = (number: number, table = 'main'): RouteOperation => ({
  kind: 'create',
  table,
  destination: `10.${100 + (number >> 8)}.${number & 255}.0/24`,
  to: { key: `i-${number}`, name: `node-${number}`, addresses: { IPv4: '10.0.0.1' } },
});

export const creates = (count: number, table = 'main'): RouteOperation[] =>
  Array.from({ length: count }, (_, index) => aCreate(index, table));

/** A call of `list` or `apply` that waits for its answer. */
export interface HeldRouteCall {
  readonly kind: 'list' | 'apply';
  readonly operations: readonly RouteOperation[];
  readonly signal: AbortSignal;
  readonly beforeWrite: () => void;
  readonly atMs: number;
  /** Applies every operation. */
  applyAll(): void;
  answer(value: unknown): void;
  fail(err: unknown): void;
}

export interface TestRouteTables {
  readonly clock: VirtualClock;
  readonly tables: RouteTables;
  readonly calls: HeldRouteCall[];
  /** The value of a metric, by its whole line up to the value. */
  readonly metric: (line: string) => Promise<string | undefined>;
}

export function someRouteTables(limits: Partial<RouteLimits> = {}): TestRouteTables {
  const clock = virtualClock();
  const metrics = createMetrics();
  const calls: HeldRouteCall[] = [];
  const hold = <T>(call: Pick<HeldRouteCall, 'kind' | 'operations' | 'signal' | 'beforeWrite'>) =>
    new Promise<T>((resolve, reject) => {
      const answer = (value: unknown): void => resolve(value as T);
      calls.push({
        ...call,
        atMs: clock.monotonic(),
        applyAll: () => answer(call.operations.map(() => ({ kind: 'applied' }))),
        answer,
        fail: reject,
      });
    });
  const tables = new RouteTables({
    provider: { name: 'test' },
    routes: {
      families: ['IPv4', 'IPv6'],
      limits,
      list: ({ signal }) =>
        hold<RouteListing>({ kind: 'list', operations: [], signal, beforeWrite: () => {} }),
      apply: (operations, { signal, beforeWrite }) =>
        hold<readonly RouteOutcome[]>({ kind: 'apply', operations, signal, beforeWrite }),
    },
    clock,
    metrics,
  });
  const metric = async (line: string): Promise<string | undefined> => {
    const lines = (await metrics.render()).split('\n');
    return lines.find((text) => text.startsWith(`${line} `))?.slice(line.length + 1);
  };
  return { clock, tables, calls, metric };
}
