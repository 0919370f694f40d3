/** Checks the nodes themselves: P1, P4, and the part of P2 about providerIDs. */
import { OverlapIndex, readPodCIDR } from '@tandem/core/allocation';
import type { Cidr } from '@tandem/core/ip';
import { enumerate, quote } from '@tandem/core/node-address';
import { isInitialised } from '@tandem/core/node-init';
import type { NodeView } from '@tandem/core/view';
import type { NodeProjection } from '@tandem/kube/node';
import { type Breach, breach } from './breach.ts';

/** `views` are undefined without the manager's view. */
export function checkNodes(
  nodes: readonly NodeProjection[],
  views: ReadonlyMap<string, NodeView> | undefined,
): readonly Breach[] {
  const done = nodes.filter(isInitialised);
  return [...done.flatMap(checkInitialised), ...sharedInstances(done, views), ...overlaps(nodes)];
}

function checkInitialised({ name, addresses, providerID }: NodeProjection): readonly Breach[] {
  const found: Breach[] = [];
  if (addresses.length === 0) {
    const message = 'The node has no uninitialized taint and no address.';
    found.push(breach('TaintGoneWithoutAddresses', name, message));
  }
  if (providerID === '') {
    const message = 'The node has no uninitialized taint and no providerID.';
    found.push(breach('TaintGoneWithoutProviderID', name, message));
  }
  return found;
}

/** Skips nodes with the taint, which the manager refuses. Only the manager knows other spellings of a providerID. */
function sharedInstances(
  nodes: readonly NodeProjection[],
  views: ReadonlyMap<string, NodeView> | undefined,
): readonly Breach[] {
  const named = nodes.filter(({ providerID }) => providerID !== '');
  const byInstance = Map.groupBy(named, ({ uid, providerID }) => {
    const rivals = views?.get(uid)?.rivals ?? [];
    // All claimants of an instance are rivals of each other, so they agree on the lowest UID.
    return rivals.length === 0
      ? providerID
      : rivals.reduce((lowest, rival) => (rival.uid < lowest ? rival.uid : lowest), uid);
  });
  return [...byInstance.values()].flatMap((sharing) => {
    if (sharing.length < 2) return [];
    const names = sharing.map(({ name }) => name);
    const spellings = [...new Set(sharing.map(({ providerID }) => quote(providerID, 128)))];
    const message = `Nodes ${enumerate(names)} are all initialised with providerID ${spellings.join(' or ')}.`;
    return [breach('ProviderIDTwice', names[0] ?? '', message)];
  });
}

function overlaps(nodes: readonly NodeProjection[]): readonly Breach[] {
  const index = new OverlapIndex();
  const names = new Map<string, string>();
  const networks = new Map<string, readonly Cidr[]>();
  for (const { uid, name, podCIDRs } of nodes) {
    if (podCIDRs.length === 0) continue;
    const cidrs = podCIDRs.flatMap((text) => readPodCIDR(text).cidr ?? []);
    index.set(uid, cidrs);
    names.set(uid, name);
    networks.set(uid, cidrs);
  }
  return nodes.flatMap(({ uid, name, podCIDRs }) => {
    const others = (networks.get(uid) ?? []).flatMap((cidr) => index.others(uid, cidr));
    if (others.length === 0) return [];
    const sharers = [...new Set(others.map(({ owner }) => names.get(owner) ?? ''))].toSorted();
    const message = `podCIDRs ${podCIDRs.join(', ')} overlap those of ${enumerate(sharers)}.`;
    return [breach('DuplicatePodCIDR', name, message)];
  });
}
