/** Flags that upstream's manager does not have and that no single controller declares. */
import {
  type AnyFlag,
  bool,
  type DefaultedFlag,
  duration,
  file,
  type Flag,
  honoured,
} from '@tandem/cli/flags';

export const config: Flag<string | undefined> = {
  name: 'config',
  type: file,
  support: honoured,
  help: "File with node-IP policies, networks excluded from node IPs, the cluster's VIPs, and pools of pod CIDRs (apiVersion tandem.dev/v1alpha1, kind ManagerConfiguration). Read once, at startup.",
};

export const dryRun: DefaultedFlag<boolean> = {
  name: 'dry-run',
  type: bool,
  byDefault: 'false',
  support: honoured,
  help: 'Log and count the changes that the manager would make, but write nothing: no node, no event, no Lease. Runs until stopped unless --once is given. Safe to run beside another manager.',
};

export const once: DefaultedFlag<boolean> = {
  name: 'once',
  type: bool,
  byDefault: 'false',
  support: honoured,
  help: 'With --dry-run: check every node once, print a summary to standard output and exit. Exit codes: 0 if nothing would change, 3 if something would change, 1 if unknown, for example because the cloud or the API server did not answer.',
};

export const onceTimeout: DefaultedFlag<number> = {
  name: 'once-timeout',
  type: duration(),
  byDefault: '2m',
  support: honoured,
  help: 'With --once: maximum run time. When it expires, the manager exits with the results so far.',
};

/** Those of the manager, before those that single controllers declare. */
export const tandemFlags: readonly AnyFlag[] = [config, dryRun, once, onceTimeout];
