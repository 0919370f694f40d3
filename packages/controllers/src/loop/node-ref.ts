/** A node of the cache in the words of the plug: what a provider gets to know of it. */
import { recordOf } from '@tandem/kube/codec';
import type { NodeProjection } from '@tandem/kube/node';
import type { NodeRef } from '@tandem/provider/plug';

export type RefSource = Pick<
  NodeProjection,
  'name' | 'uid' | 'providerID' | 'labels' | 'systemUUID'
>;

export function nodeRefOf({ name, uid, providerID, labels, systemUUID }: RefSource): NodeRef {
  return { name, uid, providerID, labels: recordOf(labels), systemUUID };
}
