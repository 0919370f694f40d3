/** The actions of the lifecycle controller. Each action is one write with a reason. */
export type LifecycleAction = DeleteNode | AddShutdownTaint | RemoveShutdownTaint;

/** Subject to the brake, and to a live read that confirms it. */
export interface DeleteNode {
  readonly kind: 'deleteNode';
  readonly reason: string;
}

export interface AddShutdownTaint {
  readonly kind: 'addShutdownTaint';
  readonly reason: string;
}

export interface RemoveShutdownTaint {
  readonly kind: 'removeShutdownTaint';
  readonly reason: string;
}

/** Upstream's taint: it has no value, and running workloads stay. */
export const shutdownTaint: { readonly key: string; readonly effect: string } = {
  key: 'node.cloudprovider.kubernetes.io/shutdown',
  effect: 'NoSchedule',
};
