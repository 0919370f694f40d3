/**
 * What can be done to a node: each action is one write, and says why. Their order in a plan is the
 * order in which they are done, and stopping after any of them leaves a safe node (P1, P7).
 */
import { enumerate, type Explanation, type NodeAddress, quote } from '../node-address/index.ts';
import { type Labels, type NodeFacts, uninitializedTaint } from './node.ts';

export type NodeAction = WriteAddresses | Initialise | WriteLabels;

/** Replaces `status.addresses` as a whole. */
export interface WriteAddresses {
  readonly kind: 'writeAddresses';
  readonly addresses: readonly NodeAddress[];
  readonly reason: string;
}

/** ProviderID, labels and the end of the taint in one write: all of it or nothing. */
export interface Initialise {
  readonly kind: 'initialise';
  /** What must be stored for the write to be right. */
  readonly addresses: readonly NodeAddress[];
  /** The node's own where it has one: it is set once and never changed. */
  readonly providerID: string;
  /** Only those that the node lacks or has with another value. */
  readonly labels: Labels;
  /** Every taint with one of these keys goes. */
  readonly taintsToRemove: readonly string[];
  readonly reason: string;
}

/** Sets labels of a node that is initialised. */
export interface WriteLabels {
  readonly kind: 'writeLabels';
  /** Only those that the node lacks or has with another value. */
  readonly labels: Labels;
  readonly reason: string;
}

export function writeAddresses(
  node: NodeFacts,
  addresses: readonly NodeAddress[],
  request: Explanation['request'],
): WriteAddresses {
  const asking = request === null ? 'the cloud lists' : `${quote(request.value)} stands for`;
  const before = node.addresses.length === 0 ? 'no address' : listAddresses(node.addresses);
  return {
    kind: 'writeAddresses',
    addresses,
    reason: `${asking} ${listAddresses(addresses)}, and the node has ${before}`,
  };
}

export function initialise(
  node: NodeFacts,
  wanted: Pick<Initialise, 'addresses' | 'providerID' | 'labels'>,
): Initialise {
  const { addresses, providerID, labels } = wanted;
  const identity =
    node.providerID === ''
      ? `the instance is ${quote(providerID, providerIDMax)}`
      : 'the providerID is set';
  return {
    kind: 'initialise',
    addresses,
    providerID,
    labels,
    taintsToRemove: [uninitializedTaint],
    reason: `the addresses are stored and ${identity}, so the taint can go${settingLabels(labels)}`,
  };
}

export function writeLabels(labels: Labels): WriteLabels {
  const texts = Object.entries(labels).map(([key, value]) => `${key}=${value}`);
  return {
    kind: 'writeLabels',
    labels,
    reason: `labels of the node are not as they shall be: ${enumerate(texts, listMax)}`,
  };
}

function settingLabels(labels: Labels): string {
  const texts = Object.entries(labels).map(([key, value]) => `${key}=${value}`);
  return texts.length === 0 ? '' : `; with labels ${enumerate(texts, listMax)}`;
}

function listAddresses(addresses: readonly NodeAddress[]): string {
  return enumerate(
    addresses.map(({ type, address }) => `${type} ${address}`),
    listMax,
  );
}

/** Two lists and a request fit into the note of an event, which takes 1,024 characters. */
const listMax = 400;
const providerIDMax = 128;
