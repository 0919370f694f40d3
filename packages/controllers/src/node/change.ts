/**
 * What a change of a node requires. Most changes in a running cluster require nothing: plans do not
 * depend on cordons, pod CIDRs and conditions.
 */
import { kubeletAnnotation, operatorAnnotation } from '@tandem/core/node-address';
import { cloudLabels } from '@tandem/core/node-init';
import type { NodeProjection } from '@tandem/kube/node';

export type Reaction =
  | { readonly kind: 'none' }
  | {
      readonly kind: 'plan';
      /** Whether the node may request other addresses than before. */
      readonly changesRequest: boolean;
      /** Whether the node may run on another machine than at the last look-up. */
      readonly asksAfresh: boolean;
    };

export function reactionTo(
  { before, after }: { readonly before: NodeProjection; readonly after: NodeProjection },
  { hasPolicies }: { readonly hasPolicies: boolean },
): Reaction {
  // The informer reuses unchanged parts, so they are the same objects.
  const hasNewLabels = before.labels !== after.labels;
  const hasNewParts =
    hasNewLabels ||
    before.annotations !== after.annotations ||
    before.taints !== after.taints ||
    before.addresses !== after.addresses ||
    before.providerID !== after.providerID;
  const asksAfresh = cameBack(before, after) || wasBooted(before, after);
  if (!hasNewParts && !asksAfresh) return { kind: 'none' };
  const changesRequest = (hasPolicies && hasNewLabels) || hasNewRequest(before, after);
  return { kind: 'plan', changesRequest, asksAfresh };
}

/** Whether a label changed by which the cloud may recognise its own nodes. */
export function mayChangeOwner({
  before,
  after,
}: {
  readonly before: Pick<NodeProjection, 'labels'>;
  readonly after: Pick<NodeProjection, 'labels'>;
}): boolean {
  if (before.labels === after.labels) return false;
  return hasOther(before.labels, after.labels) || hasOther(after.labels, before.labels);
}

/** Whether `one` has a label that `other` lacks or has with another value. */
function hasOther(one: NodeProjection['labels'], other: NodeProjection['labels']): boolean {
  return Object.keys(one).some((key) => !cloudLabels.has(key) && one[key] !== other[key]);
}

function hasNewRequest(before: NodeProjection, after: NodeProjection): boolean {
  if (before.annotations === after.annotations) return false;
  return [operatorAnnotation, kubeletAnnotation].some(
    (key) => before.annotations[key] !== after.annotations[key],
  );
}

function cameBack(before: NodeProjection, after: NodeProjection): boolean {
  return before.ready !== undefined && before.ready.status !== 'True' && isReady(after);
}

function isReady({ ready }: NodeProjection): boolean {
  return ready?.status === 'True';
}

/**
 * The first bootID is no reboot: the kubelet reports it after registration, when the machine was
 * looked up.
 */
function wasBooted(before: NodeProjection, after: NodeProjection): boolean {
  return before.bootID !== '' && before.bootID !== after.bootID;
}
