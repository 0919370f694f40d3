/** The flags of the leader election. Its Lease is upstream's, so that the two exclude each other. */
import {
  type AnyFlag,
  bool,
  type DefaultedFlag,
  duration,
  honoured,
  objectName,
  optionalText,
  refused,
} from '@tandem/cli/flags';

export const leaderElect: DefaultedFlag<boolean> = {
  name: 'leader-elect',
  type: bool,
  byDefault: 'true',
  support: honoured,
  help: 'Run the controllers only while holding the Lease, so that two managers never write at the same time. Leave it on with a single replica too: a Deployment rollout briefly runs two.',
};

export const leaseDuration: DefaultedFlag<number> = {
  name: 'leader-elect-lease-duration',
  type: duration(),
  byDefault: '15s',
  support: honoured,
  help: 'Time after the last renewal during which other managers cannot take the Lease. Must be whole seconds.',
};

export const renewDeadline: DefaultedFlag<number> = {
  name: 'leader-elect-renew-deadline',
  type: duration(),
  byDefault: '10s',
  support: honoured,
  help: 'Time that a leader keeps working without renewing the Lease. Must be shorter than the lease duration.',
};

export const retryPeriod: DefaultedFlag<number> = {
  name: 'leader-elect-retry-period',
  type: duration(),
  byDefault: '2s',
  support: honoured,
  help: 'Interval between renewals of the Lease. The renew deadline must be more than 1.2 times as long.',
};

export const leaseName: DefaultedFlag<string> = {
  name: 'leader-elect-resource-name',
  type: objectName('name'),
  byDefault: 'cloud-controller-manager',
  support: honoured,
  help: "Name of the Lease. The default is upstream's, so that Tandem and the upstream manager exclude each other.",
};

export const leaseNamespace: DefaultedFlag<string> = {
  name: 'leader-elect-resource-namespace',
  type: objectName('namespace'),
  byDefault: 'kube-system',
  support: honoured,
  help: 'Namespace of the Lease.',
};

const resourceLock: DefaultedFlag<string | undefined> = {
  name: 'leader-elect-resource-lock',
  type: optionalText,
  byDefault: 'leases',
  support: refused('the lock is always a Lease. Use leases or remove the flag', 'leases'),
  help: 'Kind of lock object.',
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
