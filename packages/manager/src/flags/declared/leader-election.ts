/** The flags of the leader election. Its Lease is upstream's, so that the two exclude each other. */
import { type AnyFlag, type DefaultedFlag, honoured, refused } from '../flag.ts';
import { bool, duration, objectName, optionalText } from '../values/index.ts';

export const leaderElect: DefaultedFlag<boolean> = {
  name: 'leader-elect',
  type: bool,
  byDefault: 'true',
  standing: honoured,
  help: 'Work only while holding the Lease, so that two managers never write at the same time. Leave it on with a single replica too: while a Deployment rolls there are two.',
};

export const leaseDuration: DefaultedFlag<number> = {
  name: 'leader-elect-lease-duration',
  type: duration(),
  byDefault: '15s',
  standing: honoured,
  help: 'How long others leave the Lease alone after its last renewal. Whole seconds.',
};

export const renewDeadline: DefaultedFlag<number> = {
  name: 'leader-elect-renew-deadline',
  type: duration(),
  byDefault: '10s',
  standing: honoured,
  help: 'How long a leader goes on without renewing the Lease. Shorter than the lease duration.',
};

export const retryPeriod: DefaultedFlag<number> = {
  name: 'leader-elect-retry-period',
  type: duration(),
  byDefault: '2s',
  standing: honoured,
  help: 'The time between two renewals. Less than the renew deadline by a factor of 1.2.',
};

export const leaseName: DefaultedFlag<string> = {
  name: 'leader-elect-resource-name',
  type: objectName('name'),
  byDefault: 'cloud-controller-manager',
  standing: honoured,
  help: "The name of the Lease. The default is upstream's, so that Tandem and upstream's manager exclude each other.",
};

export const leaseNamespace: DefaultedFlag<string> = {
  name: 'leader-elect-resource-namespace',
  type: objectName('namespace'),
  byDefault: 'kube-system',
  standing: honoured,
  help: 'The namespace of the Lease.',
};

const resourceLock: DefaultedFlag<string | undefined> = {
  name: 'leader-elect-resource-lock',
  type: optionalText,
  byDefault: 'leases',
  standing: refused('only a Lease can be held: write leases or leave the flag out', 'leases'),
  help: 'The kind of object that is held. Only leases.',
};

export const leaderElectionFlags: readonly AnyFlag[] = [
  leaderElect,
  leaseDuration,
  renewDeadline,
  retryPeriod,
  leaseName,
  leaseNamespace,
  resourceLock,
];
