/** The grants of the parts that all controllers share: the node cache, the events, the election and the tokens. */
import { type Grant, onLease, onNodes, theLease } from './grant.ts';

const noNodes = 'The manager sees no nodes and manages none';
const noLeader = 'This manager never becomes leader and does nothing';

export const nodeCacheGrant: Grant = {
  part: 'node cache',
  purpose: 'the nodes, for all controllers',
  ...onNodes,
  verbs: { list: noNodes, watch: noNodes },
};

export const eventsGrant: Grant = {
  part: 'events',
  purpose:
    'what happened to a node; get tells whether an event exists whose creation was not answered',
  scope: 'events',
  group: '',
  resource: 'events',
  otherGroup: 'events.k8s.io',
  verbs: {
    create: 'Changes and refusals appear only in the log and in metrics',
    patch: 'Events of current refusals expire after an hour',
    get: 'Events that another process created are counted from one again',
  },
};

const election = { part: 'leader election', ...onLease } as const;

export const electionGrants: readonly Grant[] = [
  {
    ...election,
    purpose: 'a Lease to hold, where there is none; create cannot be limited to a name',
    verbs: { create: 'If the Lease does not exist yet, this manager never becomes leader' },
  },
  {
    ...election,
    purpose: 'holding the Lease',
    name: theLease,
    verbs: { get: noLeader, update: noLeader },
  },
  {
    ...election,
    purpose: 'a standby that notices at once that the Lease was released',
    name: theLease,
    verbs: { watch: 'A standby notices a released Lease seconds later' },
  },
];

/** Returns the grant to request tokens of this account only, for `--use-service-account-credentials`. */
export function tokenGrant(account: string): Grant {
  return {
    part: 'controller accounts',
    purpose: `tokens of ${account}`,
    scope: 'tokens',
    group: '',
    resource: 'serviceaccounts/token',
    name: account,
    verbs: { create: 'The controllers have no identity and cannot write to nodes' },
  };
}
