/**
 * Keeps the taints that kube-controller-manager derives from the conditions of nodes: a Ready node loses the
 * not-ready taint with which the API server created it, any other node gets it back, and NetworkUnavailable has
 * its taint in the same way. An embedded cluster has no kube-controller-manager, so that its nodes would look
 * unready forever. This code reads the store directly and writes through the API.
 */
import type { KubeTransport } from '@tandem/kube/transport';
import { at, listAt, textAt } from '../json/index.ts';
import type { Store, StoredObject } from '../store/index.ts';
import { ask } from './kubelet-api.ts';

interface ReadyTaintsPorts {
  readonly store: Store;
  readonly transport: KubeTransport;
}

/** Keeps the taints of all nodes up to date until the signal aborts. */
export function keepReadyTaints({ store, transport }: ReadyTaintsPorts, signal: AbortSignal): void {
  const look = (node: StoredObject): void => {
    const operations = operationsFor(node);
    if (operations.length === 0) return;
    const path = `/api/v1/nodes/${node.metadata.name}`;
    const message = { method: 'PATCH', path, body: operations, contentType: jsonPatch } as const;
    // If another client changed the node first, that change triggers another look at it.
    ask(transport, message, signal).catch(() => undefined);
  };
  const nodes = store.collection('nodes');
  const unsubscribe = nodes.onChange(({ after }) => {
    if (after !== undefined) look(after);
  });
  signal.addEventListener('abort', unsubscribe, { once: true });
  if (signal.aborted) unsubscribe();
  else nodes.list().forEach(look);
}

const jsonPatch = 'application/json-patch+json';

interface ConditionTaint {
  readonly condition: string;
  /** A node has the taint at any other status. */
  readonly goodStatus: 'True' | 'False';
  readonly taint: { readonly key: string; readonly effect: string };
}

const conditionTaints: readonly ConditionTaint[] = [
  {
    condition: 'Ready',
    goodStatus: 'True',
    taint: { key: 'node.kubernetes.io/not-ready', effect: 'NoSchedule' },
  },
  {
    condition: 'NetworkUnavailable',
    goodStatus: 'False',
    taint: { key: 'node.kubernetes.io/network-unavailable', effect: 'NoSchedule' },
  },
];

/** A patch for the first taint that is wrong. The change that it makes triggers the patch for the next one. */
function operationsFor(node: StoredObject): readonly object[] {
  for (const each of conditionTaints) {
    const operations = operationsForTaint(node, each);
    if (operations.length > 0) return operations;
  }
  return [];
}

/** The patch is guarded, so that it fails on a node that has changed in between. */
function operationsForTaint(
  node: StoredObject,
  { condition, goodStatus, taint }: ConditionTaint,
): readonly object[] {
  const found = listAt(node, 'status', 'conditions').find(
    (each) => textAt(each, 'type') === condition,
  );
  if (found === undefined) return [];
  const isGood = textAt(found, 'status') === goodStatus;
  const taints = listAt(node, 'spec', 'taints');
  const index = taints.findIndex((each) => textAt(each, 'key') === taint.key);
  const guard = { op: 'test', path: '/metadata/uid', value: node.metadata.uid };
  if (isGood && index >= 0) {
    const path = `/spec/taints/${index}`;
    return [guard, { op: 'test', path: `${path}/key`, value: taint.key }, { op: 'remove', path }];
  }
  if (isGood || index >= 0) return [];
  const value = at(node, 'spec', 'taints') ?? null;
  return [
    guard,
    { op: 'test', path: '/spec/taints', value },
    { op: 'add', path: '/spec/taints', value: [...taints, taint] },
  ];
}
