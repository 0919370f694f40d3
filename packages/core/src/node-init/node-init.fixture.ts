/**
 * Nodes, answers and inputs with defaults, and a naive API server that applies the actions of a
 * plan.
 */
import type { NodeAddress } from '../node-address/index.ts';
import type { NodeAction } from './action.ts';
import type { CloudAnswer, CloudInstance } from './cloud-answer.ts';
import { type NodeFacts, uninitializedTaint } from './node.ts';
import type { NodePlanInput } from './plan.ts';
import type { NodeSettings } from './settings.ts';

/** Reads a list such as `InternalIP 10.0.0.1, Hostname a`. */
export function addressesOf(text: string): NodeAddress[] {
  if (text === '') return [];
  return text.split(', ').map((entry) => {
    const [type = '', address = ''] = entry.split(' ');
    return { type, address };
  });
}

export const tainted: NodeFacts['taints'] = [{ key: uninitializedTaint }];

/** A node as kubelet registers it. */
export function aNode(facts: Partial<NodeFacts> = {}): NodeFacts {
  return {
    name: 'node-0',
    uid: 'uid-0',
    creationTimestampSeconds: 1000,
    labels: {},
    annotations: {},
    taints: tainted,
    providerID: '',
    addresses: [],
    podCIDRs: [],
    networkUnavailable: undefined,
    ...facts,
  };
}

/** The same node after its initialisation with the default answer. */
export function aReadyNode(facts: Partial<NodeFacts> = {}): NodeFacts {
  return aNode({
    taints: [],
    providerID: 'cloud://0',
    addresses: addressesOf('InternalIP 10.0.0.1, InternalIP fd00::1'),
    ...facts,
  });
}

export function found(instance: Partial<CloudInstance> = {}, asOfMs = 100): CloudAnswer {
  return {
    kind: 'found',
    asOfMs,
    instance: {
      providerID: 'cloud://0',
      addresses: addressesOf('InternalIP 10.0.0.1, InternalIP fd00::1'),
      labels: {},
      podBlocks: { IPv4: [], IPv6: [] },
      ...instance,
    },
  };
}

export const defaults: NodeSettings = {
  policies: [],
  exclusions: [],
  gates: { CloudNodeIPs: true },
  refreshLabels: false,
};

export function anInput(input: Partial<NodePlanInput> = {}): NodePlanInput {
  return {
    node: aNode(),
    owns: (providerID) => !providerID.startsWith('other://'),
    rivals: [],
    answer: found(),
    isNotOurs: false,
    requestChangedAtMs: 50,
    settings: defaults,
    routes: undefined,
    ...input,
  };
}

/** The node after the write, without regard to guards. */
export function applied(node: NodeFacts, action: NodeAction): NodeFacts {
  switch (action.kind) {
    case 'writeAddresses':
      return { ...node, addresses: action.addresses };
    case 'writeNetworkCondition':
      return { ...node, networkUnavailable: action.condition };
    case 'writeLabels':
      return { ...node, labels: { ...node.labels, ...action.labels } };
    case 'initialise':
      return {
        ...node,
        providerID: action.providerID,
        labels: { ...node.labels, ...action.labels },
        taints: [
          ...node.taints.filter(({ key }) => !action.taintsToRemove.includes(key)),
          ...action.taintsToAdd.filter((added) =>
            node.taints.every(({ key }) => key !== added.key),
          ),
        ],
      };
  }
}
