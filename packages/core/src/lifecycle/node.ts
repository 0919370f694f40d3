/** A node as far as its end depends on it, and what of it keeps hands off. */
import { isInitialised, isPaused, pausedAnnotation } from '../node-init/index.ts';

export interface LifecycleNode {
  readonly name: string;
  readonly uid: string;
  /** Empty as long as the node has none. */
  readonly providerID: string;
  /** The status of the condition Ready; undefined where there is no such condition. */
  readonly readyStatus: string | undefined;
  /** Whether it has a deletionTimestamp. */
  readonly isBeingDeleted: boolean;
  readonly taints: readonly { readonly key: string; readonly effect: string }[];
  readonly annotations: Readonly<Record<string, string>>;
}

/** Whether a providerID is this cloud's: the provider's own word. Never asked about an empty one. */
export type Owns = (providerID: string) => boolean;

/** The cluster autoscaler marks with it what it drains and takes away; the Node it leaves to others. */
export const autoscalerTaint = 'ToBeDeletedByClusterAutoscaler';

/** A missing condition counts as Unknown, and whatever is not True is NotReady, as upstream has it. */
export function isReady({ readyStatus }: Pick<LifecycleNode, 'readyStatus'>): boolean {
  return readyStatus === 'True';
}

/**
 * Whether the node is this cloud's. Without a providerID nobody knows, except for a node that still
 * waits for this cloud to initialise it.
 */
export function isOwned(node: Pick<LifecycleNode, 'providerID' | 'taints'>, owns: Owns): boolean {
  return node.providerID === '' ? !isInitialised(node) : owns(node.providerID);
}

/** Whether somebody else is removing the node on purpose: its absence is then no cause for alarm. */
export function isLeaving(node: Pick<LifecycleNode, 'isBeingDeleted' | 'taints'>): boolean {
  return node.isBeingDeleted || node.taints.some(({ key }) => key === autoscalerTaint);
}

/**
 * Why the node is not to be touched at all, whatever the cloud says. One that the autoscaler marked
 * is not among these: it takes the machine away and relies on others to delete the Node.
 */
export function findBar(node: LifecycleNode, owns: Owns): string | undefined {
  if (isPaused(node)) return `${pausedAnnotation} is "true": remove it to go on`;
  if (node.isBeingDeleted) return 'the Node is being deleted already';
  if (isOwned(node, owns)) return undefined;
  return node.providerID === ''
    ? 'the node has no providerID and is initialised, so nobody knows which instance it is'
    : 'its providerID is not of this cloud, so it is somebody else’s';
}
