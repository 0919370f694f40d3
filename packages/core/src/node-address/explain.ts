/**
 * Explains a resolution step by step, in the fields of `kubectl nodeip explain -o json`. The texts are made from the
 * resolution of the same question, so they cannot disagree with it.
 */
import { addressLengthMax } from '../ip/index.ts';
import {
  type CloudAddress,
  type NodeAddress,
  readAddresses,
  withoutDuplicates,
} from './address-list.ts';
import type { ExcludedAddress } from './exclusion.ts';
import type { Refusal } from './refusal.ts';
import { formatToken } from './request.ts';
import {
  type Pick,
  type Resolution,
  type Resolved,
  resolveAddresses,
  type ResolveInput,
} from './resolve.ts';
import type { SourcedRequest } from './source.ts';
import { nodeIPsOf, type Stack } from './stack.ts';
import { enumerate, printable, quote } from './wording.ts';

export interface Explanation {
  /** The request that counts, with a value cut to the part that was read. */
  readonly request: SourcedRequest | null;
  readonly cloud: readonly NodeAddress[];
  readonly excluded: readonly (NodeAddress & { readonly reason: string })[];
  readonly addresses: readonly NodeAddress[] | null;
  readonly stack: Stack | null;
  readonly error: Refusal | null;
  /** Makes the texts, because a controller judges thousands of nodes and never reads the steps. */
  readonly steps: () => readonly string[];
}

export function explainAddresses(input: Question<CloudAddress>): Explanation {
  const { request, cloud: parsed, exclusions, gates } = input;
  const resolution = resolve(input);
  const cloud = entriesOf(parsed);
  return {
    request: request && {
      value: request.value.slice(0, addressLengthMax),
      source: request.source,
    },
    cloud,
    excluded: resolution.excluded.map(toExcludedEntry),
    addresses: resolution.kind === 'resolved' ? entriesOf(resolution.addresses) : null,
    stack: resolution.kind === 'resolved' ? resolution.stack : null,
    error: resolution.kind === 'refused' ? resolution.refusal : null,
    steps: describeLater({ request, cloud, exclusions, gates }),
  };
}

interface Question<Address> extends Omit<ResolveInput, 'request' | 'cloud'> {
  readonly request: SourcedRequest | null;
  readonly cloud: readonly Address[];
}

function resolve({ request, ...given }: Question<CloudAddress>): Resolution {
  return resolveAddresses({ ...given, request: request === null ? null : request.value });
}

/** Resolves again to describe it: a function that kept the resolution would keep all parsed addresses as long as the plan. */
function describeLater(question: Question<NodeAddress>): Explanation['steps'] {
  return () => {
    const { request } = question;
    return describeSteps(request, resolve({ ...question, cloud: readAddresses(question.cloud) }));
  };
}

function describeSteps(request: SourcedRequest | null, resolution: Resolution): string[] {
  const steps = [describeAsking(request)];
  for (const { address, type, reason } of resolution.excluded) {
    steps.push(`excluded ${describeEntries([{ type, address }])}: ${printable(reason, entryMax)}`);
  }
  if (resolution.kind === 'refused') {
    steps.push(`refused with ${resolution.refusal.code}: ${resolution.refusal.message}`);
    return steps;
  }
  describeChoice(resolution, steps);
  return steps;
}

function describeAsking(request: SourcedRequest | null): string {
  if (request === null) return 'no request for particular addresses';
  return `request ${quote(request.value)} from ${printable(request.source, entryMax)}`;
}

function describeChoice(resolved: Resolved, steps: string[]): void {
  const { addresses, picks, unnamed, displaced, excluded } = resolved;
  let picked = 0;
  for (const pick of picks) {
    steps.push(describePick(pick));
    picked += pick.entries.length;
  }
  if (picked === 0) {
    const what = excluded.length === 0 ? "the cloud's list" : "the rest of the cloud's list";
    steps.push(`took ${what} as it is`);
  }
  if (unnamed.length > 0) {
    steps.push(
      `dropped ${describeEntries(unnamed)}: the request is for ${picks[0]?.token.family} only`,
    );
  }
  if (displaced.length > 0) {
    steps.push(
      `dropped ${describeEntries(displaced)}: the requested address replaces the others of its type`,
    );
  }
  if (picked > 0 && picked < addresses.length) {
    const others = addresses.slice(picked);
    steps.push(
      `kept ${describeEntries(others)}: addresses of other types follow in the cloud's order`,
    );
  }
  const repeated = addresses.length - withoutDuplicates(addresses).length;
  if (repeated > 0) {
    steps.push(`the node's list will omit ${repeated} exact duplicate${repeated > 1 ? 's' : ''}`);
  }
  steps.push(describeStack(resolved));
}

function describePick({ token, entries }: Pick): string {
  const text = formatToken(token);
  if (token.kind === 'literal') return `${text} matches ${describeEntries(entries)}`;
  const found = entries.find(({ type }) => type === 'InternalIP' || type === 'ExternalIP');
  return `${text} matches ${describeEntries(entries)}, the first ${found?.type} of that family`;
}

function describeStack({ addresses, stack }: Resolved): string {
  if (stack === null) return 'consumers find no node IP in this list';
  const texts: string[] = [];
  for (const { address } of nodeIPsOf(addresses)) texts.push(address);
  return `consumers see ${stack}: ${enumerate(texts, entriesMax)}`;
}

/** `InternalIP 1.2.3.4 and Hostname a`, bounded. */
function describeEntries(entries: readonly NodeAddress[]): string {
  if (entries.length === 0) return 'no address';
  const texts: string[] = [];
  for (const { type, address } of entries) texts.push(`${type} ${address}`);
  return enumerate(texts, entriesMax);
}

/** A step may be longer than an event's message, but not without bound. */
const entryMax = 64;
const entriesMax = 400;

function entriesOf(addresses: readonly CloudAddress[]): NodeAddress[] {
  return addresses.map(({ entry }) => entry);
}

function toExcludedEntry({
  type,
  address,
  reason,
}: ExcludedAddress): NodeAddress & { reason: string } {
  return { type, address, reason };
}
