/**
 * The events of the lifecycle controller, with upstream's reasons and texts where upstream has
 * them. People filter by the reasons, so they never change. A renewed event must not contain a
 * number that changes, because each change would be another event. `DeletionHeld` does once an hour: its command names a
 * time that must not have passed.
 */
import { type BrakeSettings, exampleRelease, releaseAnnotation } from '@tandem/core/lifecycle';
import { printable } from '@tandem/core/node-address';
import type { LeaseName } from '@tandem/kube/election';
import type { NewEvent } from '@tandem/kube/events';
import { type EventTable, nodeEventsOf } from '../loop/index.ts';

/** Upstream's name. */
export const controllerName = 'cloud-node-lifecycle-controller';

export type LifecycleEventReason =
  | 'DeletingNode'
  | 'DeletingNodeFailed'
  | 'DeletionHeld'
  | 'NodeShutdown';

export const lifecycleEvents: EventTable<LifecycleEventReason> = {
  DeletingNode: {
    type: 'Normal',
    action: 'DeleteNode',
    meaning: 'The instance of the node no longer exists, so Tandem deletes the Node.',
    remedy: 'Nothing.',
  },
  DeletingNodeFailed: {
    type: 'Warning',
    action: 'DeleteNode',
    meaning: 'Tandem could not delete the Node and tries again. The event says what went wrong.',
    remedy:
      'Read the event. Usually the permission to delete nodes is missing, or an admission webhook refuses the deletion.',
  },
  DeletionHeld: {
    type: 'Warning',
    action: 'DeleteNode',
    meaning:
      'The instance of the node is missing, but so many are missing at once that the cloud may be wrong, so Tandem deletes none. The event is renewed until fewer are missing or you release the brake. It shows the command.',
    remedy:
      'Check whether the instances are really gone. If they are, release the brake with the command in the event. If not, fix what makes the cloud report them missing.',
  },
  NodeShutdown: {
    type: 'Normal',
    action: 'TaintNode',
    meaning: 'The instance of the node is stopped, so Tandem added the shutdown taint.',
    remedy:
      'Start the instance if you still need it: Tandem removes the taint once it runs. Otherwise delete the instance in the cloud.',
  },
};

export interface NamedNode {
  readonly name: string;
  readonly uid: string;
}

export function deletingNode(node: NamedNode): NewEvent {
  const note = `Deleting node ${node.name} because it does not exist in the cloud provider`;
  return eventOf(node, 'DeletingNode', note);
}

export function deletingNodeFailed(node: NamedNode, err: Error): NewEvent {
  const note = `Failed deleting node ${node.name}: ${printable(err.message, messageMax)}`;
  return eventOf(node, 'DeletingNodeFailed', note);
}

export function nodeShutdown(node: NamedNode): NewEvent {
  const note = `Node ${node.name} is shut down in the cloud provider. No new pods are scheduled to it.`;
  return eventOf(node, 'NodeShutdown', note);
}

export interface HeldFacts {
  readonly brake: BrakeSettings | undefined;
  readonly lease: LeaseName;
  /** By the wall clock. */
  readonly nowMs: number;
}

export function deletionHeld(node: NamedNode, { brake, lease, nowMs }: HeldFacts): NewEvent {
  const { nodes = 0, share = 0 } = brake ?? {};
  const limits = `more than ${nodes} nodes and ${Math.round(share * 100)} % of all`;
  const lift = liftCommand(lease, nowMs);
  const note = `Not deleting node ${node.name} although it does not exist in the cloud provider: too many nodes are missing at once (${limits}), which may be a cloud outage. It is deleted once fewer are missing. To delete them now, release the brake until a time you choose: ${lift}`;
  return eventOf(node, 'DeletionHeld', note);
}

/** The command that releases the brake. Its time is an example. */
export function liftCommand(lease: LeaseName, nowMs: number): string {
  return `kubectl -n ${lease.namespace} annotate --overwrite lease ${lease.name} ${releaseAnnotation}=${exampleRelease(nowMs)}`;
}

const eventOf = nodeEventsOf(controllerName, lifecycleEvents);

/** Fits into the note of an event, which takes 1,024 characters, with a name of 253 characters. */
const messageMax = 600;
