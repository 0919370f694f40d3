/** Flags that upstream's manager does not have and that no single controller declares. */
import { type AnyFlag, bool, duration, file, type GivenFlags } from '@tandem/cli/flags';
import type { ManagerSettings } from '../settings/index.ts';

const flags = {
  config: {
    name: 'config',
    type: file,
    help: "File with node-IP policies, networks excluded from node IPs, the cluster's VIPs, and pools of pod CIDRs (apiVersion tandem.dev/v1alpha1, kind ManagerConfiguration). Read once, at startup.",
  },
  dryRun: {
    name: 'dry-run',
    type: bool,
    byDefault: 'false',
    help: 'Log and count the changes that the manager would make, but write nothing: no node, no event, no Lease. Runs until stopped unless --once is given. Safe to run beside another manager.',
  },
  once: {
    name: 'once',
    type: bool,
    byDefault: 'false',
    help: 'With --dry-run: check every node once, print a summary to standard output and exit. Exit codes: 0 if nothing would change, 3 if something would change, 1 if unknown, for example because the cloud or the API server did not answer.',
  },
  onceTimeout: {
    name: 'once-timeout',
    type: duration(),
    byDefault: '2m',
    help: 'With --once: maximum run time. When it expires, the manager exits with the results so far.',
  },
};

/** The flags of the manager itself. Controllers declare further ones. */
export const tandemFlags: readonly AnyFlag[] = Object.values(flags);

export interface RunMode extends Pick<ManagerSettings, 'dryRun' | 'once'> {
  readonly configFile: string | undefined;
}

export function readRunMode(given: GivenFlags, problems: string[]): RunMode {
  const isDryRun = given.of(flags.dryRun);
  const isOnce = given.of(flags.once);
  if (!isOnce && given.isGiven(flags.onceTimeout)) problems.push('--once-timeout requires --once');
  if (isOnce && !isDryRun) {
    problems.push('--once requires --dry-run: a manager that writes keeps running');
  }
  return {
    configFile: given.find(flags.config),
    dryRun: isDryRun,
    once: isOnce ? { limitMs: given.of(flags.onceTimeout) } : undefined,
  };
}
