/** A look-up in virtual time, with a provider whose calls the test answers one by one. */
import { createLogger, createMetrics } from '@tandem/runtime';
import { seededRandom, virtualClock, type VirtualClock } from '@tandem/runtime/testing';
import type { Instance, LookupAnswers, LookupOptions, NodeRef, Provider } from '../plug/index.ts';
import type { KnownInstance } from './answer.ts';
import { InstanceLookup, type InstanceLookupOptions } from './instance-lookup.ts';

export const anInstance = (name: string, changes: Partial<Instance> = {}): Instance => ({
  providerID: `test:///${name}`,
  addresses: [{ type: 'InternalIP', address: '10.0.0.1' }],
  state: 'running',
  labels: {},
  podBlocks: { IPv4: [], IPv6: [] },
  ...changes,
});

/** The instance as a caller of the look-up gets it. */
export const aKnownInstance = (name: string): KnownInstance => ({
  key: `test:///${name}`,
  ...anInstance(name),
});

export const aNode = (name: string, changes: Partial<NodeRef> = {}): NodeRef => ({
  name,
  uid: `uid-${name}`,
  providerID: '',
  labels: {},
  systemUUID: '',
  ...changes,
});

export interface HeldCall {
  readonly nodes: readonly string[];
  readonly refs: readonly NodeRef[];
  readonly maxAgeMs: LookupOptions['maxAgeMs'];
  readonly signal: AbortSignal;
  readonly atMs: number;
  /** Answers `found` for every node of the call. */
  find(): void;
  answer(answers: unknown): void;
  fail(err: unknown): void;
}

export interface TestLookup {
  readonly clock: VirtualClock;
  readonly lookup: InstanceLookup;
  readonly calls: HeldCall[];
  readonly log: Record<string, unknown>[];
  /** The value of a metric, by its whole line up to the value. */
  readonly metric: (line: string) => Promise<string | undefined>;
}

/** Upper-case letters are another spelling. */
const identifyTest: Provider['identify'] = (providerID) => {
  const key = providerID.toLowerCase();
  return key.startsWith('test://') ? key : undefined;
};

export function aLookup(
  options: Partial<InstanceLookupOptions> & Pick<Partial<Provider>, 'identify' | 'watch'> = {},
): TestLookup {
  const clock = virtualClock();
  const metrics = createMetrics();
  const calls: HeldCall[] = [];
  const log: Record<string, unknown>[] = [];
  const write = (line: string): void => void log.push(JSON.parse(line));
  const logger = createLogger({ clock, level: 'debug', destination: { write } });
  const provider: Provider = {
    name: 'test',
    identify: options.identify ?? identifyTest,
    ...(options.watch === undefined ? {} : { watch: options.watch }),
    lookup: (nodes, { maxAgeMs, signal }) =>
      new Promise<LookupAnswers>((resolve, reject) => {
        const atMs = clock.monotonic();
        calls.push({
          nodes: nodes.map(({ name }) => name),
          refs: nodes,
          maxAgeMs,
          signal,
          atMs,
          find: () =>
            resolve(
              new Map(
                nodes.map(({ name }) => [
                  name,
                  { kind: 'found', instance: anInstance(name), asOfMs: atMs },
                ]),
              ),
            ),
          answer: (answers) => resolve(withTimes(answers, atMs) as LookupAnswers),
          fail: reject,
        });
      }),
  };
  const lookup = new InstanceLookup({
    provider,
    clock,
    random: seededRandom('lookup'),
    metrics,
    logger,
    ...options,
  });
  const metric = async (line: string): Promise<string | undefined> => {
    const lines = (await metrics.render()).split('\n');
    return lines.find((text) => text.startsWith(`${line} `))?.slice(line.length + 1);
  };
  return { clock, lookup, calls, log, metric };
}

function withTimes(answers: unknown, atMs: number): unknown {
  if (!(answers instanceof Map)) return answers;
  const isTimeless = (value: unknown): value is object =>
    typeof value === 'object' && value !== null && !('asOfMs' in value);
  return new Map(
    [...answers].map(([name, value]) => [
      name,
      isTimeless(value) ? { ...value, asOfMs: atMs } : value,
    ]),
  );
}
