/**
 * The kubelet writes its Hostname at registration, and consumers need one. If the cloud gives none,
 * the node's own Hostname is added after the resolution, so that it can never satisfy a request.
 */
import { type NodeAddress, readAddresses } from './address-list.ts';
import { exclude, type Exclusion } from './exclusion.ts';

export function carryOverHostnames(options: {
  readonly resolved: readonly NodeAddress[];
  readonly cloud: readonly NodeAddress[];
  /** The current addresses of the node. */
  readonly current: readonly NodeAddress[];
  readonly exclusions: readonly Exclusion[];
}): readonly NodeAddress[] {
  const { resolved, cloud, current, exclusions } = options;
  if (cloud.some(isHostname)) return resolved;
  const own = exclude(readAddresses(current.filter(isHostname)), exclusions).usable;
  if (own.length === 0) return resolved;
  return [...resolved, ...own.map(({ entry }) => entry)];
}

function isHostname({ type }: NodeAddress): boolean {
  return type === 'Hostname';
}
