/**
 * Sets one condition of a node and leaves the others alone. It is a strategic merge, by which the API
 * server finds the condition by its type: a JSON patch would need its index, or would append a second
 * condition of that type. The UID and resourceVersion guard it, so that a namesake is never marked and
 * a condition that a network plugin has just written is never overwritten unseen.
 */
import type { MergePatch } from './guarded-patch.ts';
import { valueAt } from './json-pointer.ts';
import { isSameUid, nodeResource } from './node-identity.ts';

export interface ConditionPatchInput {
  readonly name: string;
  readonly uid: string;
  /** Of the node that was decided about. */
  readonly resourceVersion: string;
  readonly condition: {
    readonly type: string;
    readonly status: 'True' | 'False' | 'Unknown';
    readonly reason: string;
    readonly message: string;
  };
  /** When it became so, in milliseconds since the epoch. */
  readonly atMs: number;
}

/** The patch for the version that a write before it leads to. */
export function conditionPatchAt(
  input: Omit<ConditionPatchInput, 'resourceVersion'>,
): Pick<MergePatch, 'resource'> & { readonly at: (resourceVersion: string) => MergePatch } {
  return {
    resource: statusOf(input.name),
    at: (resourceVersion) => conditionPatch({ ...input, resourceVersion }),
  };
}

export function conditionPatch(input: ConditionPatchInput): MergePatch {
  const { name, uid, resourceVersion, condition } = input;
  // Kubernetes has whole seconds here.
  const time = `${new Date(input.atMs).toISOString().slice(0, 19)}Z`;
  const timed = { ...condition, lastHeartbeatTime: time, lastTransitionTime: time };
  return {
    resource: statusOf(name),
    merge: { metadata: { uid, resourceVersion }, status: { conditions: [timed] } },
    isWritten: (live) => isSameUid(live, uid) && hasCondition(live, condition),
  };
}

function statusOf(name: string): MergePatch['resource'] {
  return { ...nodeResource(name), subresource: 'status' };
}

function hasCondition(live: unknown, wanted: ConditionPatchInput['condition']): boolean {
  const conditions = valueAt(live, '/status/conditions');
  if (!Array.isArray(conditions)) return false;
  const { type, status, reason, message } = wanted;
  return conditions.some(
    (condition: unknown) =>
      valueAt(condition, '/type') === type &&
      valueAt(condition, '/status') === status &&
      valueAt(condition, '/reason') === reason &&
      valueAt(condition, '/message') === message,
  );
}
