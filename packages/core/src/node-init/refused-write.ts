/**
 * The message of a node whose write the API server or an admission webhook refused. It quotes the
 * server, which knows the reason, and names the label at fault, because the server quotes only the
 * label's value and not its key. The server lists causes in random order and the message sorts
 * them, so that the same refusal always has the same text and is reported once.
 */
import { enumerate, quote } from '../node-address/index.ts';
import type { NodeAction } from './action.ts';
import { whatBecomesOf } from './node-refusal-message.ts';
import type { NodeRefusal } from './node-refusal.ts';
import type { NodeFacts } from './node.ts';

export interface RefusedWrite {
  readonly action: NodeAction;
  /** The message of the server. */
  readonly message: string;
  /** The fields at fault, if the server names them. */
  readonly causes: readonly { readonly field: string; readonly message: string }[];
}

export function writeRefused(
  node: Pick<NodeFacts, 'taints'>,
  { action, message, causes }: RefusedWrite,
): NodeRefusal {
  const blamed = blamedLabels(action, causes);
  const [what, advice] =
    blamed.length === 0
      ? [nounOf(action), 'Resolve the cause']
      : [
          `the ${blamed.length === 1 ? 'label' : 'labels'} ${enumerate(blamed, labelsMax)}`,
          `Correct the ${blamed.length === 1 ? 'label' : 'labels'} in the cloud`,
        ];
  return {
    code: 'WriteRefused',
    message: `The API server refuses to store ${what} (${quote(inOrder(message, causes), wordsMax)}). ${advice}. The manager retries the write. ${whatBecomesOf(node)}`,
  };
}

/**
 * Identifies a refusal by the write and by the fields and labels at fault. The server's message
 * counts only if it names no field, and then without numbers and ids, which differ for every
 * request of many webhooks.
 */
export function refusedWriteIdentity({ action, message, causes }: RefusedWrite): string {
  const fields = [...new Set(causes.map(({ field }) => field))].toSorted();
  const faults = fields.length > 0 ? fields : [message.replaceAll(variableParts, '#')];
  return JSON.stringify([action.kind, faults, blamedLabels(action, causes)]);
}

/** Words with a digit: ids, times, counts, addresses. */
const variableParts = /[\w.:-]*\d[\w.:-]*/g;

/** A message that contains no cause is kept as it is, such as that of a webhook. */
function inOrder(message: string, causes: RefusedWrite['causes']): string {
  const texts = new Set(causes.map((cause) => `${cause.field}: ${cause.message}`));
  const starts = [...texts].map((text) => message.indexOf(text)).filter((start) => start >= 0);
  if (starts.length === 0) return message;
  const subject = message.slice(0, Math.min(...starts)).replace(/\[$/, '');
  return subject + [...texts].toSorted().join('; ');
}

function nounOf(action: NodeAction): string {
  switch (action.kind) {
    case 'writeAddresses':
      return "the node's addresses";
    case 'writeNetworkCondition':
      return "the node's condition NetworkUnavailable";
    case 'writeLabels':
      return "the node's labels";
    case 'initialise':
      return "the node's providerID and labels and to remove its taint";
  }
}

/** Returns the labels whose key or value the server quotes in a cause about labels. */
function blamedLabels(action: NodeAction, causes: RefusedWrite['causes']): string[] {
  if (!('labels' in action)) return [];
  const faults = causes.filter(({ field }) => field.startsWith('metadata.labels'));
  const isQuoted = (text: string): boolean =>
    faults.some(({ message }) => message.includes(JSON.stringify(text)));
  return Object.entries(action.labels)
    .filter(([key, value]) => isQuoted(value) || isQuoted(key))
    .map(([key, value]) => `${key}=${value}`)
    .toSorted();
}

const labelsMax = 160;
/** Long enough for the messages of webhooks, short enough for an event with the other text. */
const wordsMax = 400;
