/** The flags of the leader election. It uses upstream's Lease, so that the two managers exclude each other. */
import {
  type AnyFlag,
  bool,
  duration,
  type GivenFlags,
  objectName,
  optionalText,
  refused,
} from '@tandem/cli/flags';
import { findTimingProblems } from '@tandem/kube/election';
import type { ElectionSettings } from '../settings/index.ts';

const flags = {
  leaderElect: {
    name: 'leader-elect',
    type: bool,
    byDefault: 'true',
    help: 'Run the controllers only while holding the Lease, so that two managers never write at the same time. Leave it on with a single replica too: a Deployment rollout briefly runs two.',
  },
  leaseDuration: {
    name: 'leader-elect-lease-duration',
    type: duration(),
    byDefault: '15s',
    help: 'Time after the last renewal during which other managers cannot take the Lease. Must be whole seconds.',
  },
  renewDeadline: {
    name: 'leader-elect-renew-deadline',
    type: duration(),
    byDefault: '10s',
    help: 'Time that a leader keeps working without renewing the Lease. Must be shorter than the lease duration.',
  },
  retryPeriod: {
    name: 'leader-elect-retry-period',
    type: duration(),
    byDefault: '2s',
    help: 'Interval between renewals of the Lease. The renew deadline must be more than 1.2 times as long.',
  },
  leaseName: {
    name: 'leader-elect-resource-name',
    type: objectName('name'),
    byDefault: 'cloud-controller-manager',
    help: "Name of the Lease. The default is upstream's, so that Tandem and the upstream manager exclude each other.",
  },
  leaseNamespace: {
    name: 'leader-elect-resource-namespace',
    type: objectName('namespace'),
    byDefault: 'kube-system',
    help: 'Namespace of the Lease.',
  },
  resourceLock: {
    name: 'leader-elect-resource-lock',
    type: optionalText,
    byDefault: 'leases',
    support: refused('the lock is always a Lease. Use leases or remove the flag', 'leases'),
    help: 'Kind of lock object.',
  },
};

export const leaderElectionFlags: readonly AnyFlag[] = Object.values(flags);

export function readElection(given: GivenFlags, problems: string[]): ElectionSettings {
  const timings = {
    leaseDurationMs: given.of(flags.leaseDuration),
    renewDeadlineMs: given.of(flags.renewDeadline),
    retryPeriodMs: given.of(flags.retryPeriod),
  };
  const isEnabled = given.of(flags.leaderElect);
  if (isEnabled) {
    problems.push(...findTimingProblems(timings).map((problem) => `--leader-elect-*: ${problem}`));
  }
  const lease = { namespace: given.of(flags.leaseNamespace), name: given.of(flags.leaseName) };
  return { isEnabled, timings, lease };
}
