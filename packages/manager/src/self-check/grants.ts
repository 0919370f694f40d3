/**
 * What the program needs of the API server's permissions, as data: one entry for each rule of
 * `manifests/rbac.yaml` (what the cluster's own roles give is in `delegated-permissions.ts`), and in it, for each verb, which part of the program needs it and what does not
 * work without. A test holds table and manifest together. To ask about one's own permissions
 * needs no rule: `system:basic-user` lets everybody.
 */
import type { ControllerName } from '../settings/index.ts';

/** What can be running and needs something of its own. */
export type Part =
  | ControllerName
  | 'node-cache'
  | 'deletion-brake'
  | 'deletion-memory'
  | 'events'
  | 'election';

export type Verb = 'get' | 'list' | 'watch' | 'create' | 'update' | 'patch' | 'delete';

/** One rule of a role. */
export interface Grant {
  readonly role: Role;
  /** `''` for the core group. */
  readonly group: string;
  /** With the subresource, as in `nodes/status`. */
  readonly resource: string;
  /** Whether the rule is for the one Lease of the election. */
  readonly isForLease?: true;
  /** A group under which the same can be done, and is where this one is refused. */
  readonly otherGroup?: string;
  readonly needs: readonly Need[];
}

export interface Need {
  readonly verb: Verb;
  /** By part: what does not work without. */
  readonly by: Readonly<Partial<Record<Part, string>>>;
}

export type Role =
  | { readonly kind: 'ClusterRole'; readonly name: string }
  | { readonly kind: 'Role'; readonly name: string; readonly namespace: string };

export const manifestPath = 'manifests/rbac.yaml';

const nodesRole: Role = { kind: 'ClusterRole', name: 'tandem:cloud-controller-manager' };

/** Nodes are in no namespace, and events about such objects lie in `default`. */
const eventsRole: Role = {
  kind: 'Role',
  name: 'tandem:cloud-controller-manager:events',
  namespace: 'default',
};

/** In the namespace of the Lease, wherever the flags put it. */
const leaseRole: Role = {
  kind: 'Role',
  name: 'tandem:cloud-controller-manager:lease',
  namespace: 'kube-system',
};

const noNodes = 'Nodes are not seen, so that none of them is managed';
const noLeader = 'This manager never leads, so that it does nothing';
const noMemory = 'Started again, the deletion brake has forgotten what was deleted just before';
const noShutdownTaint = 'Nodes whose instance is stopped do not get the shutdown taint';

export const grants: readonly Grant[] = [
  {
    role: nodesRole,
    group: '',
    resource: 'nodes',
    needs: [
      {
        verb: 'get',
        by: {
          'cloud-node-controller': 'Nodes that change while they are written to stay as they are',
          'cloud-node-lifecycle-controller': 'Nodes whose instance is gone are not deleted',
        },
      },
      { verb: 'list', by: { 'node-cache': noNodes } },
      { verb: 'watch', by: { 'node-cache': noNodes } },
    ],
  },
  {
    role: nodesRole,
    group: '',
    resource: 'nodes',
    needs: [
      {
        verb: 'patch',
        by: {
          'cloud-node-controller': 'New nodes stay tainted and get neither providerID nor labels',
          'cloud-node-lifecycle-controller': noShutdownTaint,
        },
      },
    ],
  },
  {
    role: nodesRole,
    group: '',
    resource: 'nodes/status',
    needs: [
      {
        verb: 'patch',
        by: { 'cloud-node-controller': 'No node gets its addresses, and new nodes stay tainted' },
      },
    ],
  },
  {
    role: nodesRole,
    group: '',
    resource: 'nodes',
    needs: [
      {
        verb: 'delete',
        by: { 'cloud-node-lifecycle-controller': 'Nodes whose instance is gone are not deleted' },
      },
    ],
  },
  {
    role: eventsRole,
    group: 'events.k8s.io',
    resource: 'events',
    otherGroup: '',
    needs: [
      { verb: 'create', by: { events: 'Changes and refusals are told by log and metrics alone' } },
      { verb: 'patch', by: { events: 'Events of refusals that stand expire after an hour' } },
      {
        verb: 'get',
        by: { events: 'Events that another process began are counted from one again' },
      },
    ],
  },
  {
    role: leaseRole,
    group: 'coordination.k8s.io',
    resource: 'leases',
    needs: [
      {
        verb: 'create',
        by: {
          election: 'Where there is no Lease yet, this manager never leads',
          'deletion-memory': noMemory,
        },
      },
    ],
  },
  {
    role: leaseRole,
    group: 'coordination.k8s.io',
    resource: 'leases',
    isForLease: true,
    needs: [
      {
        verb: 'get',
        by: { election: noLeader, 'deletion-brake': 'Nobody can lift the deletion brake' },
      },
      { verb: 'update', by: { election: noLeader, 'deletion-memory': noMemory } },
      {
        verb: 'watch',
        by: { election: 'A standby learns that the Lease was given back seconds later' },
      },
    ],
  },
];
