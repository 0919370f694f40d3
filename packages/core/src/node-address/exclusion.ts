/**
 * Addresses that must never become node IPs: configured networks and the cluster's VIPs. A VIP sits
 * on one node today and on another tomorrow, and a cloud that reports it as the machine's own would
 * make node IPs flap (promise P2).
 */
import { type Cidr, containsAddress, isSameAddress } from '../ip/index.ts';
import { type CloudAddress, type NodeAddress, readAddresses } from './address-list.ts';

export interface Exclusion {
  readonly cidr: Cidr;
  /** Excludes only entries of this type; entries of all types if left out. */
  readonly type?: string;
  /** What excludes the address. Messages show it beside the address. */
  readonly reason: string;
  /**
   * Whether the address is one of the cluster's VIPs. No message advises to change such an
   * exclusion.
   */
  readonly isVip?: boolean;
}

export interface ExcludedAddress extends CloudAddress {
  readonly reason: string;
  readonly isVip: boolean;
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
    else excluded.push({ ...entry, reason: exclusion.reason, isVip: exclusion.isVip === true });
  }
  return { usable, excluded };
}

/** Whether one of the addresses that a node had is now excluded: by type and value. */
export function losesToExclusion(
  before: readonly NodeAddress[],
  excluded: readonly NodeAddress[],
): boolean {
  if (excluded.length === 0) return false;
  const left = readAddresses(excluded);
  return readAddresses(before).some(({ type, ip }) =>
    left.some(
      (entry) =>
        entry.type === type &&
        entry.ip !== undefined &&
        ip !== undefined &&
        isSameAddress(entry.ip, ip),
    ),
  );
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
