/**
 * A cloud that misbehaves as its file says, which it reads at every look-up: for a line `node: fault` it does
 * that to the node, and answers well for all others.
 */
import { readFileSync } from 'node:fs';
import type {
  LookupAnswer,
  LookupAnswers,
  NodeRef,
  Provider,
  ProviderContext,
} from '@tandem/provider/plug';

/** What spoils one answer. */
export const answerFaults = ['left out', 'garbage', 'no providerID'] as const;

/** What spoils a whole call, as of a cloud that is down, hangs or has lost its mind. */
export const callFaults = ['throws', 'silent', 'late', 'empty'] as const;

/** What only the API server finds fault with. */
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
  // Ignores the deadline, and answers when the caller has given up.
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

/** What a provider in plain JavaScript may give: the type is not there to stop it. */
const garbage: LookupAnswer = JSON.parse(
  '{"kind":"found","instance":{"providerID":42,"addresses":"10.6.0.1","labels":null}}',
);
