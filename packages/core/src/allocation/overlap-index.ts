/**
 * Finds nodes whose pod CIDRs share an address, of any size, inside or outside pools. CIDRs overlap
 * only if one contains the other, so each is indexed by its own network and, for every prefix
 * length that occurs, by the network of that length that contains it. Clusters have one or two
 * prefix lengths per family, so a query is a few map look-ups.
 */
import { type Cidr, cidrKey, type Family, networkOf } from '../ip/index.ts';

/** A CIDR and the UID of the node that has it. */
export interface Claim {
  readonly owner: string;
  readonly cidr: Cidr;
}

/** The claims of one family, by a prefix length that occurs among them. */
interface Shelf {
  /** Claims of just this length, by their network. */
  readonly exact: ClaimMap;
  /** Claims of this length or longer, by the network of this length that they lie inside. */
  readonly inside: ClaimMap;
}

type ClaimMap = Map<string, Claim[]>;

export class OverlapIndex {
  readonly #byOwner = new Map<string, readonly Claim[]>();
  readonly #shelves: Readonly<Record<Family, Map<number, Shelf>>> = {
    IPv4: new Map(),
    IPv6: new Map(),
  };

  /** Replaces what the owner has. */
  set(owner: string, cidrs: readonly Cidr[]): void {
    this.delete(owner);
    if (cidrs.length === 0) return;
    // A new shelf indexes all known claims, so it is made before these are added.
    for (const cidr of cidrs) this.#ensureShelf(cidr);
    const claims = cidrs.map((cidr) => ({ owner, cidr }));
    this.#byOwner.set(owner, claims);
    for (const claim of claims) {
      for (const [length, shelf] of this.#shelvesOf(claim.cidr)) file(shelf, length, claim);
    }
  }

  delete(owner: string): void {
    const claims = this.#byOwner.get(owner) ?? [];
    this.#byOwner.delete(owner);
    for (const claim of claims) {
      for (const [length, shelf] of this.#shelvesOf(claim.cidr)) unfile(shelf, length, claim);
    }
  }

  /** The claims of other owners that share an address with the CIDR. */
  others(owner: string, cidr: Cidr): readonly Claim[] {
    this.#ensureShelf(cidr);
    const found: Claim[] = [];
    for (const [length, { exact, inside }] of this.#shelvesOf(cidr)) {
      if (length > cidr.prefixLength) continue;
      const claims = length === cidr.prefixLength ? inside : exact;
      for (const claim of claims.get(keyOf(cidr, length)) ?? []) {
        if (claim.owner !== owner) found.push(claim);
      }
    }
    return found;
  }

  #shelvesOf({ network }: Cidr): Map<number, Shelf> {
    return this.#shelves[network.family];
  }

  /** Shelves are never removed: there are few prefix lengths, and each is likely to occur again. */
  #ensureShelf(cidr: Cidr): void {
    const shelves = this.#shelvesOf(cidr);
    const length = cidr.prefixLength;
    if (shelves.has(length)) return;
    const shelf: Shelf = { exact: new Map(), inside: new Map() };
    shelves.set(length, shelf);
    for (const claims of this.#byOwner.values()) {
      for (const claim of claims) {
        if (claim.cidr.network.family === cidr.network.family) file(shelf, length, claim);
      }
    }
  }
}

function file({ exact, inside }: Shelf, length: number, claim: Claim): void {
  const { cidr } = claim;
  if (cidr.prefixLength < length) return;
  const key = keyOf(cidr, length);
  add(inside, key, claim);
  if (cidr.prefixLength === length) add(exact, key, claim);
}

function unfile({ exact, inside }: Shelf, length: number, claim: Claim): void {
  const { cidr } = claim;
  if (cidr.prefixLength < length) return;
  const key = keyOf(cidr, length);
  remove(inside, key, claim);
  remove(exact, key, claim);
}

function add(claims: ClaimMap, key: string, claim: Claim): void {
  const filed = claims.get(key);
  if (filed === undefined) claims.set(key, [claim]);
  else filed.push(claim);
}

function remove(claims: ClaimMap, key: string, claim: Claim): void {
  const left = (claims.get(key) ?? []).filter((one) => one !== claim);
  if (left.length === 0) claims.delete(key);
  else claims.set(key, left);
}

function keyOf(cidr: Cidr, length: number): string {
  return cidrKey(cidr.prefixLength === length ? cidr : networkOf(cidr.network, length));
}
