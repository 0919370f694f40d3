/**
 * Decides which of several claimants holds an instance (P2): the initialised one, else the oldest,
 * and for the same second the one with the lower UID. The decision is the same for every claimant,
 * so that exactly one node is managed and the others are refused.
 */
export interface Claimant {
  readonly name: string;
  readonly uid: string;
  readonly creationTimestampSeconds: number;
  readonly isInitialised: boolean;
}

export interface LostClaim {
  readonly holder: Claimant;
  /** What distinguishes the holder. */
  readonly because: 'is initialised' | 'is older' | 'has the lower UID';
}

/** Returns the rival that holds the instance and why, or null if the claimant itself holds it. */
export function findLostClaim(own: Claimant, rivals: readonly Claimant[]): LostClaim | null {
  let lost: LostClaim | null = null;
  let best = own;
  for (const rival of rivals) {
    if (rival.uid === own.uid || !isBefore(rival, best)) continue;
    best = rival;
    lost = { holder: rival, because: reasonFor(rival, own) };
  }
  return lost;
}

/**
 * Returns another initialised Node of the instance that the claimant holds, or null. A late write
 * of a killed leader or another program can cause this.
 */
export function findOtherHolder(own: Claimant, rivals: readonly Claimant[]): Claimant | null {
  if (!own.isInitialised || findLostClaim(own, rivals) !== null) return null;
  return rivals.find((rival) => rival.uid !== own.uid && rival.isInitialised) ?? null;
}

function isBefore(a: Claimant, b: Claimant): boolean {
  if (a.isInitialised !== b.isInitialised) return a.isInitialised;
  if (a.creationTimestampSeconds !== b.creationTimestampSeconds) {
    return a.creationTimestampSeconds < b.creationTimestampSeconds;
  }
  return a.uid < b.uid;
}

function reasonFor(holder: Claimant, other: Claimant): LostClaim['because'] {
  if (holder.isInitialised !== other.isInitialised) return 'is initialised';
  if (holder.creationTimestampSeconds !== other.creationTimestampSeconds) return 'is older';
  return 'has the lower UID';
}
