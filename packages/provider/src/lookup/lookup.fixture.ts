/** A look-up in virtual time on a provider whose every call a test answers by hand. */
import { createMetrics, seededRandom, virtualClock, type VirtualClock } from '@tandem/runtime';
import type { Instance, LookupAnswers, LookupOptions, NodeRef, Provider } from '../plug/index.ts';
import { InstanceLookup, type InstanceLookupOptions } from './instance-lookup.ts';

export const anInstance = (name: string, changes: Partial<Instance> = {}): Instance => ({
  providerID: `test:///${name}`,
  addresses: [{ type: 'InternalIP', address: '10.0.0.1' }],
  state: 'running',
  labels: {},
  podCIDRs: [],
  ...changes,
});

export const aNode = (name: string, changes: Partial<NodeRef> = {}): NodeRef => ({
  name,
  uid: `uid-${name}`,
  providerID: '',
  ...changes,
});

export interface HeldCall {
  readonly nodes: readonly string[];
  readonly freshness: LookupOptions['freshness'];
  readonly signal: AbortSignal;
  readonly atMs: number;
  /** Finds every node that was asked about, or answers with something else. */
  find(): void;
  answer(answers: unknown): void;
  fail(err: unknown): void;
}

export interface TestLookup {
  readonly clock: VirtualClock;
  readonly lookup: InstanceLookup;
  readonly calls: HeldCall[];
  /** The value of a metric, by its whole line up to the value. */
  readonly metric: (line: string) => Promise<string | undefined>;
}

export function aLookup(
  options: Partial<InstanceLookupOptions> & { readonly owns?: Provider['owns'] } = {},
): TestLookup {
  const clock = virtualClock();
  const metrics = createMetrics();
  const calls: HeldCall[] = [];
  const provider: Provider = {
    name: 'test',
    owns: options.owns ?? ((providerID) => providerID.startsWith('test://')),
    lookup: (nodes, { freshness, signal }) =>
      new Promise<LookupAnswers>((resolve, reject) => {
        calls.push({
          nodes: nodes.map(({ name }) => name),
          freshness,
          signal,
          atMs: clock.monotonic(),
          find: () =>
            resolve(
              new Map(
                nodes.map(({ name }) => [name, { kind: 'found', instance: anInstance(name) }]),
              ),
            ),
          answer: (answers) => resolve(answers as LookupAnswers),
          fail: reject,
        });
      }),
  };
  const lookup = new InstanceLookup({
    provider,
    clock,
    random: seededRandom('lookup'),
    metrics,
    ...options,
  });
  const metric = async (line: string): Promise<string | undefined> => {
    const lines = (await metrics.render()).split('\n');
    return lines.find((text) => text.startsWith(`${line} `))?.slice(line.length + 1);
  };
  return { clock, lookup, calls, metric };
}
