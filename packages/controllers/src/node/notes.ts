/** What the events of a node say, so that a person needs nothing else to understand them. */
import { enumerate, type NodeAddress, quote } from '@tandem/core/node-address';
import type { NodePlan } from '@tandem/core/node-init';

/** Begins as upstream's does, which people search for. */
export function syncedNote({ explanation, stack }: NodePlan): string {
  const addresses = explanation?.addresses ?? [];
  return `Node synced successfully: ${listOf(addresses)}${wordsFor(stack)}${askingFor(explanation)}`;
}

/** What is wrong and what to do, and whose wish it was: the one who reads it may be somebody else. */
export function refusedNote(
  message: string,
  { explanation }: Pick<NodePlan, 'explanation'>,
): string {
  return `${message}${askingFor(explanation)}`;
}

export function addressesChangedNote(
  { explanation, stack }: NodePlan,
  { from, to }: { readonly from: readonly NodeAddress[]; readonly to: readonly NodeAddress[] },
): string {
  const why = askingFor(explanation) || '; nothing is asked for, and the cloud lists them';
  return `Addresses changed from ${listOf(from)} to ${listOf(to)}${wordsFor(stack)}${why}`;
}

export function listOf(addresses: readonly NodeAddress[]): string {
  if (addresses.length === 0) return 'none';
  const texts = addresses.map(({ type, address }) => `${type} ${address}`);
  return enumerate(texts, listMax);
}

function wordsFor(stack: NodePlan['stack']): string {
  return stack === null ? '' : ` (${stack})`;
}

function askingFor(explanation: NodePlan['explanation']): string {
  const request = explanation?.request ?? null;
  return request === null ? '' : `; ${request.source} asks for ${quote(request.value)}`;
}

/** Two of them and a request fit into an event. */
const listMax = 400;
