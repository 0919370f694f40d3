/**
 * Validates the answer of a provider. Providers may be other people's code, and clouds send truncated JSON and HTML
 * pages. An invalid answer counts as unknown, with a sentence that says why; it never counts as absent or as an
 * instance without addresses (P3). A valid answer is copied, so that the provider cannot change it afterwards.
 */
import { type Family, parseAddress, parseCidr } from '@tandem/core/ip';
import { type NodeAddress, nodeAddressTypes, printable, quote } from '@tandem/core/node-address';
import { fieldOf, isRecord } from '@tandem/runtime';
import type { Instance, InstanceState, NodeRef, PodBlocks } from '../plug/index.ts';
import type { KnownInstance } from './answer.ts';

export type ReadAnswer =
  | { readonly kind: 'found'; readonly instance: KnownInstance; readonly asOfMs: number }
  | { readonly kind: 'absent'; readonly asOfMs: number }
  | { readonly kind: 'notOurs' }
  | { readonly kind: 'unknown'; readonly err: unknown; readonly retryAfterMs: unknown }
  | { readonly kind: 'malformed'; readonly problem: string };

/** What an answer is checked against. */
export interface AnswerFrame {
  readonly node: Pick<NodeRef, 'providerID'>;
  readonly identify: (providerID: string) => string | undefined;
  /** When the answer came, on the same clock as its `asOfMs`. */
  readonly nowMs: number;
}

/** Never throws, even if a getter of the provider's object throws. */
export function readAnswer(value: unknown, frame: AnswerFrame): ReadAnswer {
  try {
    return readKind(value, frame);
  } catch (err) {
    return malformed(
      `reading it failed: ${err instanceof Error ? printable(err.message, 80) : 'unknown reason'}`,
    );
  }
}

function readKind(value: unknown, frame: AnswerFrame): ReadAnswer {
  switch (fieldOf(value, 'kind')) {
    case 'found': {
      const instance = readInstance(fieldOf(value, 'instance'), frame);
      return typeof instance === 'string'
        ? malformed(instance)
        : readTime(value, frame, (asOfMs) => ({ kind: 'found', instance, asOfMs }));
    }
    case 'absent':
      return readTime(value, frame, (asOfMs) => ({ kind: 'absent', asOfMs }));
    case 'notOurs':
      return { kind: 'notOurs' };
    case 'unknown': {
      const retryAfterMs = fieldOf(value, 'retryAfterMs');
      const err = fieldOf(value, 'err');
      return { kind: 'unknown', err, retryAfterMs: retryAfterMs ?? undefined };
    }
    default:
      return malformed('kind must be found, absent, notOurs or unknown');
  }
}

const instanceStates: readonly InstanceState[] = [
  'pending',
  'running',
  'stopping',
  'stopped',
  'terminating',
];

/** More than any machine has. A longer list does not come from an instance. */
const addressesMax = 1_024;
const labelsMax = 1_024;
const podBlocksMax = 1_024;

/** An answer without a time may be of any age, so it is invalid. */
function readTime(
  value: unknown,
  { nowMs }: AnswerFrame,
  answer: (asOfMs: number) => ReadAnswer,
): ReadAnswer {
  const asOfMs = fieldOf(value, 'asOfMs');
  if (typeof asOfMs !== 'number' || !Number.isFinite(asOfMs))
    return malformed('asOfMs must be a finite number');
  return asOfMs > nowMs ? malformed('asOfMs is in the future') : answer(asOfMs);
}

/** Returns the instance, or a sentence that says what is wrong with it. */
function readInstance(value: unknown, { node, identify }: AnswerFrame): KnownInstance | string {
  const providerID = fieldOf(value, 'providerID');
  if (!isFullText(providerID)) return 'the instance has no providerID';
  // A node's providerID can never be changed, so it must be right.
  if (!providerIDPattern.test(providerID)) {
    return `providerID ${quote(providerID, 80)} must be 1 to 512 ASCII characters without spaces`;
  }
  const key = identify(providerID);
  if (key === undefined) {
    return `the instance has providerID ${quote(providerID, 80)}, which belongs to another cloud`;
  }
  if (node.providerID !== '' && identify(node.providerID) !== key) {
    return `providerID ${quote(providerID, 80)} is not the instance that the node names`;
  }
  const addresses = readList(fieldOf(value, 'addresses'), addressesMax, readAddress);
  if (addresses === undefined) {
    return 'addresses must be a list of entries with a Kubernetes address type and an address of that type';
  }
  const state = instanceStates.find((known) => known === fieldOf(value, 'state'));
  if (state === undefined) return `state must be one of ${instanceStates.join(', ')}`;
  const labels = readLabels(fieldOf(value, 'labels'));
  if (labels === undefined) return 'labels must be a map of strings';
  const podBlocks = readPodBlocks(fieldOf(value, 'podBlocks'));
  if (podBlocks === undefined)
    return 'podBlocks must have a list of IPv4 CIDRs and one of IPv6 CIDRs';
  const optional = readOptionalTexts(value);
  if (optional === undefined) return 'instanceType, zone and region must be strings';
  return { key, providerID, addresses, ...optional, state, labels, podBlocks };
}

function readList<T>(
  value: unknown,
  countMax: number,
  read: (item: unknown) => T | undefined,
): readonly T[] | undefined {
  if (!Array.isArray(value) || value.length > countMax) return undefined;
  const items: T[] = [];
  for (const item of value) {
    const known = read(item);
    if (known === undefined) return undefined;
    items.push(known);
  }
  return items;
}

/** Any spelling of an address is valid, as long as it is an address. */
function readAddress(value: unknown): NodeAddress | undefined {
  const given = fieldOf(value, 'type');
  const type = nodeAddressTypes.find((known) => known === given);
  const address = fieldOf(value, 'address');
  if (type === undefined || !isFullText(address)) return undefined;
  const isIP = type === 'InternalIP' || type === 'ExternalIP';
  const fits = isIP ? parseAddress(address) !== undefined : namePattern.test(address);
  return fits ? { type, address } : undefined;
}

/** A host name is at most as long as DNS allows and has no blanks. */
const namePattern = /^[\x21-\x7e]{1,253}$/;
const providerIDPattern = /^[\x21-\x7e]{1,512}$/;

function readPodBlocks(value: unknown): PodBlocks | undefined {
  const IPv4 = readList(fieldOf(value, 'IPv4'), podBlocksMax, blockOf('IPv4'));
  const IPv6 = readList(fieldOf(value, 'IPv6'), podBlocksMax, blockOf('IPv6'));
  return IPv4 === undefined || IPv6 === undefined ? undefined : { IPv4, IPv6 };
}

/** A block in the wrong family's field would be routed and assigned as that family. */
function blockOf(family: Family): (value: unknown) => string | undefined {
  return (value) => {
    const parsed = typeof value === 'string' ? parseCidr(value) : undefined;
    const isFit = parsed?.kind === 'cidr' && parsed.cidr.network.family === family;
    return isFit ? String(value) : undefined;
  };
}

function readLabels(value: unknown): Readonly<Record<string, string>> | undefined {
  if (value === undefined) return {};
  if (!isRecord(value)) return undefined;
  const entries: [string, string][] = [];
  for (const [key, text] of Object.entries(value)) {
    if (typeof text !== 'string') return undefined;
    entries.push([key, text]);
  }
  return entries.length > labelsMax ? undefined : Object.fromEntries(entries);
}

type OptionalTexts = Pick<Instance, 'instanceType' | 'zone' | 'region'>;

function readOptionalTexts(value: unknown): OptionalTexts | undefined {
  const instanceType = fieldOf(value, 'instanceType');
  const zone = fieldOf(value, 'zone');
  const region = fieldOf(value, 'region');
  if (!isTextOrNone(instanceType) || !isTextOrNone(zone) || !isTextOrNone(region)) return undefined;
  return {
    ...(instanceType ? { instanceType } : {}),
    ...(zone ? { zone } : {}),
    ...(region ? { region } : {}),
  };
}

function isTextOrNone(value: unknown): value is string | undefined {
  return value === undefined || typeof value === 'string';
}

function isFullText(value: unknown): value is string {
  return typeof value === 'string' && value !== '';
}

function malformed(problem: string): ReadAnswer {
  return { kind: 'malformed', problem };
}
