/**
 * What a node says whose write was refused by the API server or by an admission webhook. The server's
 * own words are repeated, because nobody else knows the reason; and where a label is to blame it is
 * named, because the server quotes its value but not its key.
 */
import { enumerate, quote } from '../node-address/index.ts';
import type { NodeAction } from './action.ts';
import { whatBecomesOf } from './node-refusal-message.ts';
import type { NodeRefusal } from './node-refusal.ts';
import type { NodeFacts } from './node.ts';

export interface RefusedWrite {
  readonly action: NodeAction;
  /** What the server said. */
  readonly message: string;
  /** Where it found fault, if it says. */
  readonly causes: readonly { readonly field: string; readonly message: string }[];
}

export function writeRefused(
  node: Pick<NodeFacts, 'taints'>,
  { action, message, causes }: RefusedWrite,
): NodeRefusal {
  const blamed = blamedLabels(action, causes);
  const [what, advice] =
    blamed.length === 0
      ? [nounOf(action), 'remove what is in its way']
      : [
          `the ${blamed.length === 1 ? 'label' : 'labels'} ${enumerate(blamed, labelsMax)}`,
          'correct it where the cloud has it from',
        ];
  return {
    code: 'WriteRefused',
    message: `the API server refuses to store ${what} (${quote(message, wordsMax)}): ${advice}; it is tried again, and ${whatBecomesOf(node)}`,
  };
}

function nounOf(action: NodeAction): string {
  switch (action.kind) {
    case 'writeAddresses':
      return "the node's addresses";
    case 'writeLabels':
      return "the node's labels";
    case 'initialise':
      return "the node's providerID and labels and the end of its taint";
  }
}

/** Those whose key or value the server quotes where it finds fault with labels. */
function blamedLabels(action: NodeAction, causes: RefusedWrite['causes']): string[] {
  if (action.kind === 'writeAddresses') return [];
  const faults = causes.filter(({ field }) => field.startsWith('metadata.labels'));
  const isQuoted = (text: string): boolean =>
    faults.some(({ message }) => message.includes(JSON.stringify(text)));
  return Object.entries(action.labels)
    .filter(([key, value]) => isQuoted(value) || isQuoted(key))
    .map(([key, value]) => `${key}=${value}`);
}

const labelsMax = 160;
/** Webhooks are wordy, and only they know why; with the rest it still fits into an event. */
const wordsMax = 400;
