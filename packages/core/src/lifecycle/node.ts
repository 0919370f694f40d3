/**
 * The facts about a node that the lifecycle plan depends on, and the reasons to leave a node alone.
 */
import { isInitialised, isPaused, pausedAnnotation } from '../node-init/index.ts';

export interface LifecycleNode {
  readonly name: string;
  readonly uid: string;
  /** Empty if the node has none. */
  readonly providerID: string;
  /** The status of the condition Ready; undefined if the node has no such condition. */
  readonly readyStatus: string | undefined;
  /** Whether it has a deletionTimestamp. */
  readonly isBeingDeleted: boolean;
  readonly taints: readonly { readonly key: string; readonly effect: string }[];
  readonly annotations: Readonly<Record<string, string>>;
}

/**
 * Whether a providerID belongs to this cloud, according to the provider. Never called with an empty
 * one.
 */
export type Owns = (providerID: string) => boolean;

/** The known facts about which cloud owns a node. */
export interface Ownership {
  readonly owns: Owns;
  /** Whether this process has found the node's instance before, under its UID. */
  readonly wasFound: boolean;
  /**
   * Whether the last answer of the cloud was that the node is not its own, whatever its providerID.
   */
  readonly isNotOurs: boolean;
}

/**
 * The taint of nodes that the cluster autoscaler drains and removes. It does not delete the Node.
 */
export const autoscalerTaint = 'ToBeDeletedByClusterAutoscaler';

/**
 * The taints of nodes that Karpenter drains and removes. Versions before 1.0 use the second one.
 */
export const karpenterTaints: readonly string[] = [
  'karpenter.sh/disrupted',
  'karpenter.sh/disruption',
];

const leavingTaints: ReadonlySet<string> = new Set([autoscalerTaint, ...karpenterTaints]);

/** A missing condition counts as Unknown. Everything but True is NotReady, as in upstream. */
export function isReady({ readyStatus }: Pick<LifecycleNode, 'readyStatus'>): boolean {
  return readyStatus === 'True';
}

/**
 * Whether the node belongs to this cloud. A node without providerID does so only if it is
 * uninitialised and its instance was found, because a new node of another cloud looks the same.
 */
export function isOwned(
  node: Pick<LifecycleNode, 'providerID' | 'taints'>,
  { owns, wasFound, isNotOurs }: Ownership,
): boolean {
  if (isNotOurs) return false;
  return node.providerID === '' ? !isInitialised(node) && wasFound : owns(node.providerID);
}

/** Whether another program is removing the node on purpose. Its absence is then expected. */
export function isLeaving(node: Pick<LifecycleNode, 'isBeingDeleted' | 'taints'>): boolean {
  return node.isBeingDeleted || node.taints.some(({ key }) => leavingTaints.has(key));
}

/**
 * Why the node must not be changed, whatever the cloud answers. This does not apply to nodes with a
 * taint of the autoscaler or Karpenter: those programs remove the machine but may not delete the
 * Node.
 */
export function findBar(node: LifecycleNode, owns: Owns): string | undefined {
  if (isPaused(node)) return `${pausedAnnotation} is "true"; remove it to resume`;
  if (node.isBeingDeleted) return 'the Node is already being deleted';
  if (node.providerID !== '' && !owns(node.providerID)) {
    return 'the providerID does not belong to this cloud';
  }
  return node.providerID === '' && isInitialised(node)
    ? 'the node is initialised but has no providerID, so its instance is unknown'
    : undefined;
}

/**
 * Why an eligible node is left alone: it is unknown whether it belongs to this cloud. It is still
 * looked up, and belongs to this cloud once its instance is found.
 */
export function findDoubt(node: LifecycleNode, ownership: Ownership): string | undefined {
  if (isOwned(node, ownership)) return undefined;
  return 'the node has no providerID and its instance was never found, so it may belong to another cloud';
}
