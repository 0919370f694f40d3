/** Who else lays claim to a node's instance, by its providerID or by what was found for it (P2). */
import { type Claimant, isInitialised } from '@tandem/core/node-init';
import type { NodeProjection } from '@tandem/kube/codec';
import type { Informer } from '@tandem/kube/informer';
import type { Claims } from './claims.ts';
import type { NodeIndex } from './node-index.ts';

export interface Claimed {
  readonly nodes: Pick<Informer<NodeProjection, NodeIndex>, 'get' | 'find'>;
  readonly claims: Claims;
}

/** Every other node with one of these providerIDs; most have none. */
export function findRivals(
  { nodes, claims }: Claimed,
  own: { readonly uid: string; readonly providerIDs: readonly string[] },
): Claimant[] {
  const rivals = new Map<string, Claimant>();
  const add = (node: NodeProjection | undefined): void => {
    if (node !== undefined && node.uid !== own.uid) rivals.set(node.uid, claimantOf(node, claims));
  };
  for (const providerID of new Set(own.providerIDs)) {
    if (providerID === '') continue;
    for (const node of nodes.find('providerID', providerID)) add(node);
    for (const { name, uid } of claims.claimants(providerID)) {
      const node = nodes.get(name);
      if (node?.uid === uid) add(node);
    }
  }
  return [...rivals.values()];
}

function claimantOf(node: NodeProjection, claims: Claims): Claimant {
  const { name, uid, creationTimestampSeconds } = node;
  return {
    name,
    uid,
    creationTimestampSeconds,
    isInitialised: isInitialised(node) || claims.isTaking(uid),
  };
}
