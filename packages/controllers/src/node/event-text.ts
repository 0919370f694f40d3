/**
 * The texts of events on a node, except those of core. A reader must understand each one by itself.
 */
import { areExcluded, enumerate, type NodeAddress, quote } from '@tandem/core/node-address';
import { type NodePlan, pausedAnnotation } from '@tandem/core/node-init';

/** Begins as upstream's text does, because people search for that. */
export function syncedNote({ explanation, stack }: NodePlan): string {
  const addresses = explanation?.addresses ?? [];
  return `Node synced successfully: ${listOf(addresses)}${wordsFor(stack)}.${leavingOut(explanation)}${askingFor(explanation)}`;
}

/** Adds the source of the request, because the reader may not be the person who made it. */
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
  const following =
    (explanation?.request ?? null) === null
      ? " They follow the cloud's list, because there is no request."
      : '';
  return `Addresses changed from ${listOf(from)} to ${listOf(to)}${wordsFor(stack)}.${following}${leavingOut(explanation)}${askingFor(explanation)}`;
}

export function pausedNote(value: string): string {
  return `${pausedAnnotation} is ${quote(value)}. Tandem does not manage this node until the annotation is removed.`;
}

export function listOf(addresses: readonly NodeAddress[]): string {
  if (addresses.length === 0) return 'none';
  const texts = addresses.map(({ type, address }) => `${type} ${address}`);
  return enumerate(texts, listMax);
}

function wordsFor(stack: NodePlan['stack']): string {
  return stack === null ? '' : ` (${stack})`;
}

/** An operator who misses an address must see that the cloud lists it and why Tandem excludes it. */
function leavingOut(explanation: NodePlan['explanation']): string {
  const excluded = explanation?.excluded ?? [];
  return excluded.length === 0 ? '' : ` ${areExcluded(excluded)}.`;
}

function askingFor(explanation: NodePlan['explanation']): string {
  const request = explanation?.request ?? null;
  return request === null ? '' : ` ${request.source} requests ${quote(request.value)}.`;
}

/** The maximum length of a list: two lists and a request fit into an event. */
const listMax = 400;
