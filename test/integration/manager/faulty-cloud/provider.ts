/**
 * A cloud that misbehaves as its file says, read anew at every look-up: for a line `node: fault` it does
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

export type Fault = (typeof answerFaults)[number] | (typeof callFaults)[number];

export async function createProvider({ configPath = '' }: ProviderContext): Promise<Provider> {
  return {
    name: 'faulty',
    limits: { deadlineMs: 500, callsPerSecond: 50, burst: 50 },
    owns: (providerID) => providerID.startsWith('faulty://'),
    lookup: (nodes, { signal }) => lookup(nodes, { faultOf: readFaults(configPath), signal }),
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
  { faultOf, signal }: { readonly faultOf: Map<string, string>; readonly signal: AbortSignal },
): Promise<LookupAnswers> {
  const present = new Set(nodes.map(({ name }) => faultOf.get(name)));
  if (present.has('throws')) throw new Error('the cloud fell over');
  if (present.has('silent')) await new Promise(() => {});
  // Deaf to the deadline, and then with an answer that nobody waits for any more.
  if (present.has('late'))
    await new Promise((resolve) => signal.addEventListener('abort', resolve));
  if (present.has('empty')) return new Map();
  const answers = nodes.flatMap((node): [string, LookupAnswer][] =>
    faultOf.get(node.name) === 'left out'
      ? []
      : [[node.name, answer(node, faultOf.get(node.name))]],
  );
  return new Map(answers);
}

function answer({ name }: NodeRef, fault: string | undefined): LookupAnswer {
  if (fault === 'garbage') return garbage;
  const number = Number(name.split('-').at(-1));
  return {
    kind: 'found',
    instance: {
      providerID: fault === 'no providerID' ? '' : `faulty:///${name}`,
      addresses: [{ type: 'InternalIP', address: `10.6.0.${number}` }],
      state: 'running',
      labels: {},
      podCIDRs: [],
    },
  };
}

/** What a provider in plain JavaScript may give: the type is not there to stop it. */
const garbage: LookupAnswer = JSON.parse(
  '{"kind":"found","instance":{"providerID":42,"addresses":"10.6.0.1","labels":null}}',
);
