/**
 * Addresses that must never become node IPs: configured networks and the cluster's VIPs. A VIP sits
 * on one node today and on another tomorrow, and a cloud that reports it as the machine's own would
 * make node IPs flap (promise P2).
 */
import { type Cidr, containsAddress } from '../ip/index.ts';
import type { CloudAddress } from './address-list.ts';

export interface Exclusion {
  readonly cidr: Cidr;
  /** Only entries of this type; all of them when left out. */
  readonly type?: string;
  /** Shown to people beside the address that was left out. */
  readonly reason: string;
}

export interface ExcludedAddress extends CloudAddress {
  readonly reason: string;
}

export interface Sieved {
  readonly usable: readonly CloudAddress[];
  readonly excluded: readonly ExcludedAddress[];
}

/** Splits the cloud's list, in its order, by the first exclusion that covers an entry. */
export function exclude(cloud: readonly CloudAddress[], exclusions: readonly Exclusion[]): Sieved {
  if (exclusions.length === 0) return { usable: cloud, excluded: [] };
  const usable: CloudAddress[] = [];
  const excluded: ExcludedAddress[] = [];
  for (const entry of cloud) {
    const exclusion = findExclusion(entry, exclusions);
    if (exclusion === undefined) usable.push(entry);
    else excluded.push({ ...entry, reason: exclusion.reason });
  }
  return { usable, excluded };
}

function findExclusion(
  { type, ip }: CloudAddress,
  exclusions: readonly Exclusion[],
): Exclusion | undefined {
  if (ip === undefined) return undefined;
  return exclusions.find(
    (exclusion) =>
      (exclusion.type === undefined || exclusion.type === type) &&
      containsAddress(exclusion.cidr, ip),
  );
}
