/**
 * A permission that a part of the program needs from the API server, as data: the verbs on one resource, their purpose,
 * and what does not work without each. Controllers declare theirs beside their flags; `shared-grants.ts` has those of
 * the shared parts. The manifests and the check of permissions at startup derive from them.
 */

export type Verb = 'get' | 'list' | 'watch' | 'create' | 'update' | 'patch' | 'delete';

export interface Grant {
  /** The part of the program that needs it, as the comments of the manifests name it. */
  readonly part: string;
  /** The purpose, for the comments of the manifests. */
  readonly purpose: string;
  readonly scope: GrantScope;
  /** `''` for the core group. */
  readonly group: string;
  /** With the subresource, as in `nodes/status`. */
  readonly resource: string;
  /** The one object that it is about. */
  readonly name?: string | LeaseMark;
  /** Another group that gives the same access. The program uses it if this group is refused. */
  readonly otherGroup?: string;
  /** What does not work without each verb. */
  readonly verbs: Readonly<Partial<Record<Verb, string>>>;
}

/**
 * Where a grant is needed, and by which identity:
 *
 * - `cluster`: objects in no namespace, as the identity of the part that needs it;
 * - `events`: the namespace `default`, which has the events about such objects, as every identity that writes;
 * - `lease`: the namespace of the Lease, as the manager itself in any case;
 * - `tokens`: the namespace of the controllers' service accounts, as the manager itself.
 */
export type GrantScope = 'cluster' | 'events' | 'lease' | 'tokens';

/** A placeholder for the name of the Lease, which is a flag. */
type LeaseMark = typeof theLease;
export const theLease: unique symbol = Symbol('the Lease');

/** The parts of a grant on nodes, and on Leases. */
export const onNodes = { scope: 'cluster', group: '', resource: 'nodes' } as const;
export const onLease = {
  scope: 'lease',
  group: 'coordination.k8s.io',
  resource: 'leases',
} as const;
