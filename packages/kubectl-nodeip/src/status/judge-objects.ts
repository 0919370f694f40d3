/**
 * Judges a node by the objects of the cluster, without the manager's view: whether its addresses satisfy the request in
 * its annotations, and what its Warning events say. Policies, exclusions and the cloud's list are unknown here. Addresses
 * that the manager resolved satisfy their request with any of these, so they lead to no report.
 */
import { isSameAddress } from '@tandem/core/ip';
import {
  type CloudAddress,
  findRequest,
  nodeIPsOf,
  parseRequest,
  quote,
  readAddresses,
  requestRefusals,
  resolveAddresses,
} from '@tandem/core/node-address';
import { isInitialised, isPaused, type NodeFacts, nodeRefusals } from '@tandem/core/node-init';
import type { NodeStateName } from '@tandem/core/view';
import type { NodeWarning } from '../live/node-warnings.ts';

/** The part of a node that is read. */
export type JudgedNode = Pick<
  NodeFacts,
  'labels' | 'annotations' | 'taints' | 'addresses' | 'creationTimestampSeconds'
>;

export interface Judgement {
  readonly state: NodeStateName;
  /** The code of a refusal, or `RequestNotMet`; null if there is nothing to report. */
  readonly reason: string | null;
  readonly message: string | null;
  /** Since when the node is refused or waits, in RFC 3339; null for other nodes, or if unknown. */
  readonly since: string | null;
}

/** The reason if a request is valid and the node has other addresses. Only the manager knows why. */
export const requestNotMet = 'RequestNotMet';

/** Returns whether the events of the node can add something to what the node shows. */
export function needsWarnings(node: JudgedNode): boolean {
  if (isPaused(node)) return false;
  return !isInitialised(node) || findUnmet(node) !== undefined;
}

/** `warnings` are the warnings of the node. */
export function judgeObjects(node: JudgedNode, warnings: readonly NodeWarning[]): Judgement {
  if (isPaused(node)) return { state: 'paused', ...nothingToReport };
  const isDone = isInitialised(node);
  const unmet = findUnmet(node);
  if (isDone && unmet === undefined) return { state: 'initialised', ...nothingToReport };
  const created = new Date(node.creationTimestampSeconds * 1_000).toISOString();
  const told = latestRefusal(warnings);
  if (told !== undefined) {
    const { reason, message, since } = told;
    const state = reason === 'ForeignProviderID' ? 'not ours' : 'refused';
    return { state, reason, message, since };
  }
  // No object has the time at which an annotation changed.
  const since = isDone ? null : created;
  if (unmet?.isRefusal === true) return { state: 'refused', ...wordsOf(unmet), since };
  if (!isDone) return { state: 'waiting', reason: null, message: null, since };
  return { state: 'initialised', ...wordsOf(unmet), since };
}

const nothingToReport = { reason: null, message: null, since: null };

interface Unmet {
  readonly reason: string;
  readonly message: string;
  /** Whether every manager refuses the request, whatever the cloud lists. */
  readonly isRefusal: boolean;
}

function wordsOf(unmet: Unmet | undefined): Pick<Judgement, 'reason' | 'message'> {
  return { reason: unmet?.reason ?? null, message: unmet?.message ?? null };
}

/** The assumed gates, because the manager's are unknown. Without this gate, valid requests would count as refused. */
const gates = { CloudNodeIPs: true };

function findUnmet(node: JudgedNode): Unmet | undefined {
  const request = findRequest(node, []);
  if (request === null) return undefined;
  const parsed = parseRequest(request.value, gates);
  if (parsed.kind === 'refused') {
    const { code, message } = parsed.refusal;
    return { reason: code, message, isRefusal: true };
  }
  const shown = readAddresses(node.addresses);
  const wanted = resolveAddresses({ cloud: shown, request: request.value, exclusions: [], gates });
  const nodeIPs = nodeIPsOf(shown);
  if (wanted.kind === 'resolved' && areSame(nodeIPsOf(wanted.addresses), nodeIPs)) return undefined;
  const has = nodeIPs.length === 0 ? 'no node IP' : nodeIPs.map(textOf).join(' and ');
  const message = `The node asks for ${quote(request.value)} by ${request.source} and has ${has}.`;
  return { reason: requestNotMet, message, isRefusal: false };
}

function areSame(some: readonly CloudAddress[], others: readonly CloudAddress[]): boolean {
  return (
    some.length === others.length &&
    some.every(({ ip }, at) => {
      const other = others[at]?.ip;
      return ip !== undefined && other !== undefined && isSameAddress(ip, other);
    })
  );
}

function textOf({ address }: CloudAddress): string {
  return address;
}

/** The reasons of the Warning events that say why a node is not initialised, or not as it asks. */
export const refusalCodes: ReadonlySet<string> = new Set([
  ...Object.keys(requestRefusals),
  ...Object.keys(nodeRefusals),
]);

function latestRefusal(warnings: readonly NodeWarning[]): NodeWarning | undefined {
  return warnings
    .filter(({ reason }) => refusalCodes.has(reason))
    .toSorted((a, b) => Date.parse(b.last) - Date.parse(a.last))[0];
}
