/**
 * The actions of the cloud-node-controller. Each action is one write, and `reason` makes the text of its reason. They are
 * carried out in the order of the plan, and an interruption after any of them leaves a safe node (P1, P7).
 *
 * Texts of a plan are functions, never getters of an object literal: V8 keeps such a getter, and with it the whole plan,
 * until the next full collection.
 */
import {
  areExcluded,
  enumerate,
  type Explanation,
  type NodeAddress,
  printable,
  quote,
} from '../node-address/index.ts';
import type { NetworkConditionWrite } from '../routes/index.ts';
import { type Labels, type NodeFacts, type NodeTaint, uninitializedTaint } from './node.ts';

export type NodeAction = WriteAddresses | WriteNetworkCondition | Initialise | WriteLabels;

/** Replaces `status.addresses` as a whole. */
export interface WriteAddresses {
  readonly kind: 'writeAddresses';
  readonly addresses: readonly NodeAddress[];
  readonly reason: () => string;
}

/** Marks a node that has no network yet, before its taint is removed. */
export interface WriteNetworkCondition {
  readonly kind: 'writeNetworkCondition';
  readonly condition: NetworkConditionWrite['condition'];
  readonly reason: () => string;
}

/** Writes the providerID and the labels and removes the taint, all in one write. */
export interface Initialise {
  readonly kind: 'initialise';
  /** The addresses that the node must have when the write is stored. */
  readonly addresses: readonly NodeAddress[];
  /** The node's own providerID if it has one, because a providerID is never changed. */
  readonly providerID: string;
  /** Only those that the node lacks or has with another value. */
  readonly labels: Labels;
  /** Every taint with one of these keys is removed. */
  readonly taintsToRemove: readonly string[];
  /** Taints that keep pods away from then on. */
  readonly taintsToAdd: readonly NodeTaint[];
  readonly reason: () => string;
}

/** Sets labels of a node that is initialised. */
export interface WriteLabels {
  readonly kind: 'writeLabels';
  /** Only those that the node lacks or has with another value. */
  readonly labels: Labels;
  readonly reason: () => string;
}

export function writeAddresses(
  node: NodeFacts,
  addresses: readonly NodeAddress[],
  explanation: AddressReasons,
): WriteAddresses {
  return {
    kind: 'writeAddresses',
    addresses,
    reason: () => describeAddresses(node, addresses, explanation),
  };
}

type AddressReasons = Pick<Explanation, 'request' | 'cloud' | 'excluded'>;

function describeAddresses(
  node: NodeFacts,
  addresses: readonly NodeAddress[],
  { request, cloud, excluded }: AddressReasons,
): string {
  const basis =
    request === null
      ? "by the cloud's list"
      : `because ${printable(request.source, sourceMax)} requests ${quote(request.value)}`;
  const isOwn = ({ type }: NodeAddress): boolean =>
    type === 'Hostname' && !cloud.some((entry) => entry.type === type);
  const own = addresses.filter(isOwn);
  const keeping =
    own.length === 0 ? '' : `, and keeps its own ${listAddresses(own, ownHostnamesMax)}`;
  const wanted = listAddresses(addresses.filter((entry) => !isOwn(entry)));
  const before = node.addresses.length === 0 ? 'no address' : listAddresses(node.addresses);
  const aside = excluded.length === 0 ? '' : `; ${areExcluded(excluded)}`;
  return `the node should have ${wanted}, ${basis}${keeping}, but has ${before}${aside}`;
}

export function writeNetworkCondition({
  condition,
  why,
}: NetworkConditionWrite): WriteNetworkCondition {
  return { kind: 'writeNetworkCondition', condition, reason: () => why };
}

export function initialise(
  node: NodeFacts,
  wanted: Pick<Initialise, 'addresses' | 'providerID' | 'labels' | 'taintsToAdd'>,
): Initialise {
  const { addresses, providerID, labels, taintsToAdd } = wanted;
  return {
    kind: 'initialise',
    addresses,
    providerID,
    labels,
    taintsToRemove: [uninitializedTaint],
    taintsToAdd,
    reason: () => {
      const identity =
        node.providerID === ''
          ? `the instance is ${quote(providerID, providerIDMax)}`
          : 'the node has its providerID';
      return `${identity}: remove the taint after the addresses are stored${addingTaints(taintsToAdd)}${settingLabels(labels)}`;
    },
  };
}

export function writeLabels(labels: Labels): WriteLabels {
  return {
    kind: 'writeLabels',
    labels,
    reason: () => {
      const texts = Object.entries(labels).map(([key, value]) => `${key}=${value}`);
      return `labels that the node lacks or has with another value: ${enumerate(texts, listMax)}`;
    },
  };
}

function addingTaints(taints: readonly NodeTaint[]): string {
  const texts = taints.map(({ key, effect }) => `${key}:${effect}`);
  return texts.length === 0 ? '' : `, add ${enumerate(texts)} until the routes are there`;
}

function settingLabels(labels: Labels): string {
  const texts = Object.entries(labels).map(([key, value]) => `${key}=${value}`);
  return texts.length === 0 ? '' : `, and set the labels ${enumerate(texts, listMax)}`;
}

function listAddresses(addresses: readonly NodeAddress[], lengthMax: number = listMax): string {
  return enumerate(
    addresses.map(({ type, address }) => `${type} ${address}`),
    lengthMax,
  );
}

/** Two lists and a request fit into the note of an event, which takes 1,024 characters. */
const listMax = 300;
const ownHostnamesMax = 80;
const sourceMax = 64;
const providerIDMax = 128;
