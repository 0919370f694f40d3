/**
 * Resolves the addresses of a node and their order from the cloud's list and the node's request. It is
 * pure and total: every input gives a list of addresses from the cloud (P2), or exactly one refusal. For
 * requests of literals the answer is exactly upstream's, odd cases included; R1 to R8 in the comments are
 * its rules.
 */
import { assert } from '../assert.ts';
import { type Family, type IpAddress, isSameAddress, specialUseOf } from '../ip/index.ts';
import type { CloudAddress } from './address-list.ts';
import { exclude, type ExcludedAddress, type Exclusion, type Sieved } from './exclusion.ts';
import {
  allExcluded,
  noAddressListed,
  noneOfFamily,
  notFound,
  otherStack,
} from './refusal-message.ts';
import { type Refusal, refusal } from './refusal.ts';
import { type Gates, parseRequest, type Request, type Token } from './request.ts';
import { nodeIPsOf, type Stack, stackOf } from './stack.ts';

export interface ResolveInput {
  readonly cloud: readonly CloudAddress[];
  /** The text of the request, or null without a request. An empty text is a request. */
  readonly request: string | null;
  readonly exclusions: readonly Exclusion[];
  readonly gates: Gates;
}

export type Resolution = Resolved | Refused;

export interface Resolved extends Choice {
  readonly kind: 'resolved';
  readonly stack: Stack | null;
  readonly excluded: readonly ExcludedAddress[];
}

export interface Refused {
  readonly kind: 'refused';
  readonly refusal: Refusal;
  readonly excluded: readonly ExcludedAddress[];
}

export interface Choice {
  /** The resolved addresses: entries of the cloud's list, at least one. */
  readonly addresses: readonly CloudAddress[];
  /** The address that was picked for each token of the request, in order. */
  readonly picks: readonly Pick[];
  /** Left out because the request names a stack without their family. */
  readonly unnamed: readonly CloudAddress[];
  /** Left out because a requested address is the only one of its type (R5). */
  readonly displaced: readonly CloudAddress[];
}

export interface Pick {
  readonly token: Token;
  /** The entries of the cloud's list that have the picked address, in its order. */
  readonly entries: readonly CloudAddress[];
}

export function resolveAddresses(input: ResolveInput): Resolution {
  const sieved = exclude(input.cloud, input.exclusions);
  const { excluded } = sieved;
  const outcome =
    input.request === null
      ? takeAll(input.cloud, sieved)
      : resolveRequest(input.request, input, sieved);
  if (outcome.kind === 'refused') return { kind: 'refused', refusal: outcome.refusal, excluded };
  const { addresses, picks, unnamed, displaced } = outcome.choice;
  assert(addresses.length > 0, 'a resolution has at least one address');
  const stack = stackOf(addresses);
  return { kind: 'resolved', addresses, picks, unnamed, displaced, stack, excluded };
}

type Outcome =
  | { readonly kind: 'chosen'; readonly choice: Choice }
  | { readonly kind: 'refused'; readonly refusal: Refusal };

/** R8: without a request, the cloud's list in its order. */
function takeAll(cloud: readonly CloudAddress[], { usable, excluded }: Sieved): Outcome {
  if (cloud.length === 0) return refuse('NoCloudAddresses', noAddressListed);
  if (usable.length === 0) return refuse('NoCloudAddresses', allExcluded(excluded));
  return { kind: 'chosen', choice: { addresses: usable, picks: [], unnamed: [], displaced: [] } };
}

function resolveRequest(text: string, { cloud, gates }: ResolveInput, sieved: Sieved): Outcome {
  const parsed = parseRequest(text, gates);
  if (parsed.kind === 'refused') return parsed;
  if (cloud.length === 0) return refuse('NoCloudAddresses', noAddressListed);

  const { request } = parsed;
  const match = choose(request, sieved.usable);
  if (match.kind === 'unmatched') {
    return match.token.kind === 'family'
      ? refuse('NoAddressOfFamily', noneOfFamily(request, match.token.family, sieved))
      : refuse('AddressNotFound', notFound(match.token.ip, sieved));
  }
  const { addresses, picks } = match.choice;
  if (namesStack(request) && !isAsPicked(match.choice)) {
    const picked = picks.flatMap(({ entries }) => entries[0]?.ip ?? []);
    const message = otherStack(request, { addresses, picked }, sieved.excluded);
    return refuse('NoAddressOfFamily', message);
  }
  return match;
}

type Match =
  | { readonly kind: 'chosen'; readonly choice: Choice }
  | { readonly kind: 'unmatched'; readonly token: Token };

function choose(request: Request, usable: readonly CloudAddress[]): Match {
  const { named: candidates, unnamed } = splitByFamily(request, usable);
  const picks: Pick[] = [];
  // R2, R7: requested addresses first, in the order of the request, as the cloud spells them.
  const addresses: CloudAddress[] = [];
  const claimed = new Set<string>();
  for (const token of request) {
    const ip = token.kind === 'literal' ? token.ip : findOfFamily(token.family, candidates);
    // R1: by value and whatever the type, so that a Hostname that is an IP literal matches too.
    const entries = ip === undefined ? [] : entriesOf(ip, candidates);
    if (entries.length === 0) return { kind: 'unmatched', token };
    picks.push({ token, entries });
    for (const entry of entries) {
      addresses.push(entry);
      claimed.add(entry.type);
    }
  }
  const displaced: CloudAddress[] = [];
  for (const entry of candidates) {
    // R4: then every other type, in the cloud's order, including names and unparsable texts.
    if (!claimed.has(entry.type)) addresses.push(entry);
    else if (!isPicked(entry, picks)) displaced.push(entry);
  }
  return { kind: 'chosen', choice: { addresses, picks, unnamed, displaced } };
}

function entriesOf(ip: IpAddress, candidates: readonly CloudAddress[]): CloudAddress[] {
  const entries: CloudAddress[] = [];
  for (const entry of candidates) if (hasAddress(entry, ip)) entries.push(entry);
  return entries;
}

/** A pick has all entries of its address, so a check of one entry suffices. */
function isPicked(entry: CloudAddress, picks: readonly Pick[]): boolean {
  for (const { entries } of picks) if (hasAddress(entry, entries[0]?.ip)) return true;
  return false;
}

function hasAddress({ ip }: CloudAddress, wanted: IpAddress | undefined): boolean {
  return ip !== undefined && wanted !== undefined && isSameAddress(ip, wanted);
}

/** Splits off the InternalIPs and ExternalIPs of a family that is not in the requested stack. */
function splitByFamily(
  request: Request,
  usable: readonly CloudAddress[],
): { readonly named: readonly CloudAddress[]; readonly unnamed: readonly CloudAddress[] } {
  // A pair always names both families, so all addresses are in the stack.
  if (!namesStack(request) || request.length === 2) return { named: usable, unnamed: [] };
  const [{ family }] = request;
  const named: CloudAddress[] = [];
  const unnamed: CloudAddress[] = [];
  for (const entry of usable) {
    const { type, ip } = entry;
    const isNodeIP = ip !== undefined && (type === 'InternalIP' || type === 'ExternalIP');
    if (isNodeIP && ip.family !== family) unnamed.push(entry);
    else named.push(entry);
  }
  return { named, unnamed };
}

/** Whether the request has a family token and thus names a stack, not only addresses. */
function namesStack([first, second]: Request): boolean {
  return first.kind === 'family' || second?.kind === 'family';
}

/** Returns the first reachable InternalIP of the family, or else the first such ExternalIP. */
function findOfFamily(family: Family, entries: readonly CloudAddress[]): IpAddress | undefined {
  let external: IpAddress | undefined;
  for (const { type, ip } of entries) {
    if (ip?.family !== family || specialUseOf(ip) !== undefined) continue;
    if (type === 'InternalIP') return ip;
    if (type === 'ExternalIP') external ??= ip;
  }
  return external;
}

/**
 * Whether consumers would derive exactly the picked addresses as node IPs. They may derive others:
 * every InternalIP, even one that could not be picked, comes before an ExternalIP that was
 * requested first.
 */
function isAsPicked({ addresses, picks }: Choice): boolean {
  const nodeIPs = nodeIPsOf(addresses);
  return (
    nodeIPs.length === picks.length &&
    nodeIPs.every((derived, index) => hasAddress(derived, picks[index]?.entries[0]?.ip))
  );
}

function refuse(code: Refusal['code'], message: string): Outcome {
  return { kind: 'refused', refusal: refusal(code, message) };
}
