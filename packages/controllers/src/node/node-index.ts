/** By what the controller finds nodes beside their name; whoever makes the informer gives it these. */
import type { NodeProjection } from '@tandem/kube/codec';
import type { IndexOf } from '@tandem/kube/informer';

export type NodeIndex = 'providerID';

export const nodeIndexes: Readonly<Record<NodeIndex, IndexOf<NodeProjection>>> = {
  providerID: ({ providerID }) => (providerID === '' ? undefined : providerID),
};
