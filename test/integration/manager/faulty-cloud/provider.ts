/**
 * A cloud that misbehaves as its file says, which it reads at every look-up. A line `node: fault` injects the fault
 * for that node; all other nodes get good answers.
 */
import { readFileSync } from 'node:fs';
import type {
  LookupAnswer,
  LookupAnswers,
  NodeRef,
  Provider,
  ProviderContext,
} from '@tandem/provider/plug';

/** Faults of one answer. */
export const answerFaults = ['left out', 'garbage', 'no providerID'] as const;

/** Faults of a whole call. */
export const callFaults = ['throws', 'silent', 'late', 'empty'] as const;

/** A fault that only the API server finds. */
export const labelFault = 'bad labels';

export type Fault = (typeof answerFaults)[number] | (typeof callFaults)[number] | typeof labelFault;

export async function createProvider(context: ProviderContext): Promise<Provider> {
  const { clock, configPath = '' } = context;
  return {
    name: 'faulty',
    limits: { deadlineMs: 500, callsPerSecond: 50, burst: 50 },
    identify: (providerID) => (providerID.startsWith('faulty://') ? providerID : undefined),
    lookup: (nodes, { signal }) =>
      lookup(nodes, {
        faultOf: readFaults(configPath),
        asOfMs: clock.monotonic(),
        signal,
      }),
  };
}

function readFaults(path: string): Map<string, string> {
  const lines = readFileSync(path, 'utf8').split('\n');
  return new Map(
    lines.map((line) => line.split(': ')).map(([node = '', fault = '']) => [node, fault]),
  );
}

async function lookup(
  nodes: readonly NodeRef[],
  {
    faultOf,
    asOfMs,
    signal,
  }: {
    readonly faultOf: Map<string, string>;
    readonly asOfMs: number;
    readonly signal: AbortSignal;
  },
): Promise<LookupAnswers> {
  const present = new Set(nodes.map(({ name }) => faultOf.get(name)));
  if (present.has('throws')) throw new Error('the cloud fell over');
  if (present.has('silent')) await new Promise(() => {});
  // Ignores the deadline, and answers after the caller has given up.
  if (present.has('late'))
    await new Promise((resolve) => signal.addEventListener('abort', resolve));
  if (present.has('empty')) return new Map();
  const answers = nodes.flatMap((node): [string, LookupAnswer][] =>
    faultOf.get(node.name) === 'left out'
      ? []
      : [[node.name, answer(node, { fault: faultOf.get(node.name), asOfMs })]],
  );
  return new Map(answers);
}

function answer(
  { name }: NodeRef,
  { fault, asOfMs }: { readonly fault: string | undefined; readonly asOfMs: number },
): LookupAnswer {
  if (fault === 'garbage') return garbage;
  const number = Number(name.split('-').at(-1));
  return {
    kind: 'found',
    instance: {
      providerID: fault === 'no providerID' ? '' : `faulty:///${name}`,
      addresses: [{ type: 'InternalIP', address: `10.6.0.${number}` }],
      state: 'running',
      labels: fault === labelFault ? { rack: 'not allowed!', row: 'nor this!' } : {},
      podBlocks: { IPv4: [], IPv6: [] },
    },
    asOfMs,
  };
}

/** An answer that a provider in plain JavaScript could give, because no types prevent it. */
const garbage: LookupAnswer = JSON.parse(
  '{"kind":"found","instance":{"providerID":42,"addresses":"10.6.0.1","labels":null}}',
);
