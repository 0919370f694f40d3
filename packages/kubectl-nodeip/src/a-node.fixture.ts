/** An initialised node, as the plugin reads it. */
import type { NodeProjection } from '@tandem/kube/node';

export function aNode(over: Partial<NodeProjection> = {}): NodeProjection {
  return {
    name: 'n1',
    uid: 'uid-1',
    resourceVersion: '1',
    creationTimestampSeconds: 0,
    deletionTimestampSeconds: undefined,
    labels: {},
    annotations: {},
    providerID: 'cloud://1',
    podCIDRs: [],
    taints: [],
    unschedulable: false,
    addresses: [{ type: 'InternalIP', address: '10.0.0.1' }],
    ready: undefined,
    networkUnavailable: undefined,
    bootID: '',
    systemUUID: '',
    ...over,
  };
}
