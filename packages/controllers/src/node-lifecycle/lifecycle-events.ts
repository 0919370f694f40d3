/**
 * What the lifecycle controller says about nodes, declared once, with upstream's reasons and words where
 * upstream has any. Reasons are what people filter by and never change. An event that stands must not
 * have a number in it that changes: each change would be another event.
 */
import { type BrakeSettings, exampleRelease, releaseAnnotation } from '@tandem/core/lifecycle';
import { printable } from '@tandem/core/node-address';
import type { LeaseName } from '@tandem/kube/election';
import { type NewEvent, nodeReference, type StandingEvent } from '@tandem/kube/events';

/** As upstream calls it. */
export const controllerName = 'cloud-node-lifecycle-controller';

export interface LifecycleEvent {
  readonly type: 'Normal' | 'Warning';
  readonly action: string;
  readonly meaning: string;
}

export type LifecycleEventReason =
  | 'DeletingNode'
  | 'DeletingNodeFailed'
  | 'DeletionHeld'
  | 'NodeShutdown';

export const lifecycleEvents: Readonly<Record<LifecycleEventReason, LifecycleEvent>> = {
  DeletingNode: {
    type: 'Normal',
    action: 'DeleteNode',
    meaning: 'The instance of the node does not exist any more, so the Node is deleted.',
  },
  DeletingNodeFailed: {
    type: 'Warning',
    action: 'DeleteNode',
    meaning: 'The Node could not be deleted. It is tried again; the event says what went wrong.',
  },
  DeletionHeld: {
    type: 'Warning',
    action: 'DeleteNode',
    meaning:
      'The Node would be deleted, but so many are missing at once that the cloud may be wrong. The event stands until fewer are missing or a person lifts the brake, and says how.',
  },
  NodeShutdown: {
    type: 'Normal',
    action: 'TaintNode',
    meaning: 'The instance of the node is stopped, so the node got the shutdown taint.',
  },
};

/** The matter of `DeletionHeld`: one stands on a node at a time. */
export const heldMatter = 'node-lifecycle/held';

export interface NamedNode {
  readonly name: string;
  readonly uid: string;
}

export function deletingNode(node: NamedNode): NewEvent {
  const note = `Deleting node ${node.name} because it does not exist in the cloud provider`;
  return { ...eventOf('DeletingNode', node), note };
}

export function deletingNodeFailed(node: NamedNode, err: Error): NewEvent {
  const note = `Failed deleting node ${node.name}: ${printable(err.message, messageMax)}`;
  return { ...eventOf('DeletingNodeFailed', node), note };
}

export function nodeShutdown(node: NamedNode): NewEvent {
  const note = `Node ${node.name} is shut down in the cloud provider, so nothing new is scheduled to it`;
  return { ...eventOf('NodeShutdown', node), note };
}

export interface HeldFacts {
  readonly brake: BrakeSettings | undefined;
  readonly lease: LeaseName;
  /** Of the wall clock, when it began to be held. */
  readonly nowMs: number;
}

export function deletionHeld(node: NamedNode, { brake, lease, nowMs }: HeldFacts): StandingEvent {
  const { nodes = 0, share = 0 } = brake ?? {};
  const limits = `more than ${nodes} nodes and ${Math.round(share * 100)} % of all`;
  const lift = `kubectl -n ${lease.namespace} annotate --overwrite lease ${lease.name} ${releaseAnnotation}=${exampleRelease(nowMs)}`;
  return {
    ...eventOf('DeletionHeld', node),
    matter: heldMatter,
    note: `Not deleting node ${node.name} although it does not exist in the cloud provider: too many are missing at once (${limits}), which looks like trouble in the cloud. It is deleted once fewer are missing. If they are really gone, lift the brake until a time of your choice, as in: ${lift}`,
  };
}

function eventOf(reason: LifecycleEventReason, node: NamedNode): Omit<NewEvent, 'note'> {
  const { type, action } = lifecycleEvents[reason];
  const regarding = nodeReference(node);
  return { regarding, reportingController: controllerName, type, reason, action };
}

/** Beside a name of 253 characters it fits into the note of an event, which takes 1,024. */
const messageMax = 600;
