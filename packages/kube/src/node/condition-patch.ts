/**
 * Sets one condition of a node and leaves the others unchanged. It is a strategic merge, in which the API
 * server finds the condition by its type: a JSON patch would need its index, or would append a second
 * condition of that type. The UID and resourceVersion guard it, so that a namesake is never marked and a
 * new condition of a network plugin is never overwritten unseen.
 */
import { type GuardedPatch, mergePatch } from '../patch/guarded-patch.ts';
import { valueAt } from '../patch/json-pointer.ts';
import { isSameUid, nodeResource } from './node-resource.ts';

export interface ConditionPatchInput {
  readonly name: string;
  readonly uid: string;
  /** Of the node that the decision was based on. */
  readonly resourceVersion: string;
  readonly condition: {
    readonly type: string;
    readonly status: 'True' | 'False' | 'Unknown';
    readonly reason: string;
    readonly message: string;
  };
  /** The transition time in milliseconds since the epoch. */
  readonly atMs: number;
}

/** The result of the previous write. The object is undefined if there was none. */
export interface StoredBefore {
  readonly resourceVersion: string;
  readonly object: unknown;
}

/**
 * The first condition of its type, at the version of the previous write. If that version already has a
 * condition of the type, which the plan did not know and a merge would overwrite, there is no patch.
 */
export function conditionPatchAt(input: Omit<ConditionPatchInput, 'resourceVersion'>): Pick<
  GuardedPatch,
  'resource'
> & {
  readonly at: (before: StoredBefore) => GuardedPatch | undefined;
} {
  return {
    resource: statusOf(input.name),
    at: ({ resourceVersion, object }) =>
      conditionsOf(object).some((one) => valueAt(one, '/type') === input.condition.type)
        ? undefined
        : conditionPatch({ ...input, resourceVersion }),
  };
}

export function conditionPatch(input: ConditionPatchInput): GuardedPatch {
  const { name, uid, resourceVersion, condition } = input;
  // Kubernetes uses whole seconds here.
  const time = `${new Date(input.atMs).toISOString().slice(0, 19)}Z`;
  const timed = { ...condition, lastHeartbeatTime: time, lastTransitionTime: time };
  return mergePatch({
    resource: statusOf(name),
    merge: { metadata: { uid, resourceVersion }, status: { conditions: [timed] } },
    isWritten: (live) => isSameUid(live, uid) && hasCondition(live, condition),
  });
}

function statusOf(name: string): GuardedPatch['resource'] {
  return { ...nodeResource(name), subresource: 'status' };
}

function hasCondition(live: unknown, wanted: ConditionPatchInput['condition']): boolean {
  const { type, status, reason, message } = wanted;
  return conditionsOf(live).some(
    (condition) =>
      valueAt(condition, '/type') === type &&
      valueAt(condition, '/status') === status &&
      valueAt(condition, '/reason') === reason &&
      valueAt(condition, '/message') === message,
  );
}

function conditionsOf(live: unknown): readonly unknown[] {
  const conditions = valueAt(live, '/status/conditions');
  return Array.isArray(conditions) ? conditions : [];
}
