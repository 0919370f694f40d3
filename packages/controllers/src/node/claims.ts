/**
 * Which instance a node lays claim to that its own providerID does not tell: what was found for a node
 * that has none yet, or whose spelling is not the cloud's. Also who is being initialised right now:
 * until the cache shows it, such a node counts as initialised, so that two nodes are never given one
 * instance (P2). It remembers nothing of nodes whose providerID says it all.
 */
export interface Claim {
  readonly uid: string;
  readonly name: string;
  /** As the cloud spells it. */
  readonly providerID: string;
}

export class Claims {
  readonly #byUid = new Map<string, Claim>();
  readonly #byProviderID = new Map<string, readonly Claim[]>();
  readonly #taking = new Set<string>();

  get size(): number {
    return this.#byUid.size + this.#taking.size;
  }

  of(uid: string): string {
    return this.#byUid.get(uid)?.providerID ?? '';
  }

  claimants(providerID: string): readonly Claim[] {
    return this.#byProviderID.get(providerID) ?? [];
  }

  /** Puts a claim in the place of the node's last one, which comes back where it was another. */
  set(claim: Claim): Claim | undefined {
    const before = this.#byUid.get(claim.uid);
    if (before?.providerID === claim.providerID) return undefined;
    this.drop(claim.uid);
    this.#byUid.set(claim.uid, claim);
    this.#byProviderID.set(claim.providerID, [...this.claimants(claim.providerID), claim]);
    return before;
  }

  /** Takes a claim back. */
  drop(uid: string): Claim | undefined {
    const claim = this.#byUid.get(uid);
    if (claim === undefined) return undefined;
    this.#byUid.delete(uid);
    const others = this.claimants(claim.providerID).filter((other) => other !== claim);
    if (others.length === 0) this.#byProviderID.delete(claim.providerID);
    else this.#byProviderID.set(claim.providerID, others);
    return claim;
  }

  /** From before the node's initialisation is sent until it is seen, or is known to have failed. */
  beginTaking(uid: string): void {
    this.#taking.add(uid);
  }

  endTaking(uid: string): void {
    this.#taking.delete(uid);
  }

  isTaking(uid: string): boolean {
    return this.#taking.has(uid);
  }
}
