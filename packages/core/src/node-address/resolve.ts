/**
 * Which addresses a node shall have, and in which order, given what the cloud lists for its machine
 * and what the node asks for. Pure and total: every input ends in a list of addresses that the cloud
 * gave (P2), or in exactly one refusal. For requests made of literals the answer is upstream's to the
 * letter, odd cases included; R1 to R8 in the comments are its rules.
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
  /** The text of the request, or null where nothing asks. An empty text is a request. */
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
  /** What the node shall have: entries of the cloud's list, at least one. */
  readonly addresses: readonly CloudAddress[];
  /** What each token of the request stood for, in its order. */
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
  if (outcome.kind === 'refused') return { ...outcome, excluded };
  const { choice } = outcome;
  assert(choice.addresses.length > 0, 'a resolution has at least one address');
  return { kind: 'resolved', ...choice, stack: stackOf(choice.addresses), excluded };
}

type Outcome =
  | { readonly kind: 'chosen'; readonly choice: Choice }
  | { readonly kind: 'refused'; readonly refusal: Refusal };

/** R8: where nothing asks, the cloud's list in its order. */
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
      ? refuse('NoAddressOfFamily', noneOfFamily(match.token.family, sieved))
      : refuse('AddressNotFound', notFound(match.token.ip, sieved));
  }
  const { addresses } = match.choice;
  if (namesStack(request) && !isAsPicked(match.choice)) {
    return refuse('NoAddressOfFamily', otherStack(request, addresses));
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
    const entries = ip === undefined ? [] : candidates.filter(hasAddress(ip));
    if (entries.length === 0) return { kind: 'unmatched', token };
    picks.push({ token, entries });
    for (const entry of entries) {
      addresses.push(entry);
      claimed.add(entry.type);
    }
  }
  const requested = new Set(addresses);
  const displaced: CloudAddress[] = [];
  for (const entry of candidates) {
    // R4: then every other type, in the cloud's order, names and nonsense included.
    if (!claimed.has(entry.type)) addresses.push(entry);
    else if (!requested.has(entry)) displaced.push(entry);
  }
  return { kind: 'chosen', choice: { addresses, picks, unnamed, displaced } };
}

function hasAddress(ip: IpAddress): (entry: CloudAddress) => boolean {
  return (entry) => entry.ip !== undefined && isSameAddress(entry.ip, ip);
}

/** Sets apart the InternalIPs and ExternalIPs of a family beyond the stack that the request names. */
function splitByFamily(
  request: Request,
  usable: readonly CloudAddress[],
): { readonly named: readonly CloudAddress[]; readonly unnamed: readonly CloudAddress[] } {
  const isUnnamed = ofFamilyBeyond(request);
  if (!namesStack(request) || !usable.some(isUnnamed)) return { named: usable, unnamed: [] };
  return { named: usable.filter((entry) => !isUnnamed(entry)), unnamed: usable.filter(isUnnamed) };
}

/** Whether a family token makes the request speak of the whole stack rather than of addresses. */
function namesStack(request: Request): boolean {
  return request.some(({ kind }) => kind === 'family');
}

function ofFamilyBeyond(request: Request): (entry: CloudAddress) => boolean {
  return ({ type, ip }) =>
    (type === 'InternalIP' || type === 'ExternalIP') &&
    ip !== undefined &&
    request.every(({ family }) => family !== ip.family);
}

/** The first InternalIP of the family that others can reach, or else the first such ExternalIP. */
function findOfFamily(family: Family, entries: readonly CloudAddress[]): IpAddress | undefined {
  const isFit = ({ ip }: CloudAddress): boolean =>
    ip?.family === family && specialUseOf(ip) === undefined;
  const internal = entries.find((entry) => entry.type === 'InternalIP' && isFit(entry));
  const found = internal ?? entries.find((entry) => entry.type === 'ExternalIP' && isFit(entry));
  return found?.ip;
}

/**
 * Whether consumers would derive exactly the picked addresses as node IPs. They may not: an ExternalIP
 * that is asked for first still comes after every InternalIP, one that could not be picked included.
 */
function isAsPicked({ addresses, picks }: Choice): boolean {
  const nodeIPs = nodeIPsOf(addresses);
  return (
    nodeIPs.length === picks.length &&
    picks.every(({ entries }, index) => {
      const [picked, derived] = [entries[0]?.ip, nodeIPs[index]?.ip];
      return picked !== undefined && derived !== undefined && isSameAddress(picked, derived);
    })
  );
}

function refuse(code: Refusal['code'], message: string): Outcome {
  return { kind: 'refused', refusal: refusal(code, message) };
}
