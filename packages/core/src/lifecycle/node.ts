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

/** What is known of whose a node is. */
export interface Ownership {
  readonly owns: Owns;
  /** Whether this process has found the node's instance before, under its UID. */
  readonly wasFound: boolean;
  /**
   * Whether the last answer of the cloud was that the node is not its own, whatever its providerID.
   */
  readonly isNotOurs: boolean;
}

/** The cluster autoscaler marks with it what it drains and takes away; the Node it leaves to others. */
export const autoscalerTaint = 'ToBeDeletedByClusterAutoscaler';

/** Karpenter marks with these what it drains and takes away; the second one did so before Karpenter 1.0. */
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
 * Whether the node is this cloud's. Where it has no providerID, only a node that waits to be initialised
 * and whose instance was found is: a newcomer of another cloud looks the same.
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
 * Why the node must not be changed, whatever the cloud says. Nodes that the autoscaler or Karpenter
 * marked are not among these: those programs remove the machine and may leave the Node to others.
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
 * Why an eligible node is left alone: it is unknown whether it belongs to this cloud. It is looked up all
 * the same, and belongs to this cloud once its instance is found.
 */
export function findDoubt(node: LifecycleNode, ownership: Ownership): string | undefined {
  if (isOwned(node, ownership)) return undefined;
  return 'the node has no providerID and its instance was never found, so it may belong to another cloud';
}
