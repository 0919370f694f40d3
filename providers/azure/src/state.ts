/**
 * Determines whether a machine runs, by upstream's rules: it is shut down if it was provisioned and is stopped,
 * deallocated or about to be deallocated, and it no longer exists once Azure is deleting it. `stopping` does not count
 * as shut down.
 */
import type { InstanceState } from '@tandem/provider/plug';

export interface MachineStatus {
  /** `Succeeded`, `Creating`, `Updating`, `Deleting`, `Failed` … */
  readonly provisioning: string | undefined;
  /** `running`, `deallocated` …; undefined if Azure sent none. */
  readonly power: string | undefined;
}

/** Returns undefined if the state cannot be determined. */
export function stateOf({ provisioning, power }: MachineStatus): InstanceState | undefined {
  const phase = provisioning?.toLowerCase();
  switch (power?.toLowerCase()) {
    case 'running':
      return 'running';
    case 'starting':
      return 'pending';
    case 'stopping':
      return 'stopping';
    case 'stopped':
    case 'deallocating':
    case 'deallocated':
      return phase === 'succeeded' ? 'stopped' : 'stopping';
    case 'unknown':
      return phase === 'creating' ? 'pending' : 'running';
    default:
      // A machine has no power state until Azure has created it.
      return phase === 'creating' ? 'pending' : undefined;
  }
}

export function isDeleting({ provisioning }: MachineStatus): boolean {
  return provisioning?.toLowerCase() === 'deleting';
}

/** Returns the power state, which is one of several statuses of an instance view. */
export function powerOf(
  statuses: readonly { readonly code?: string | undefined }[] = [],
): string | undefined {
  const prefix = 'powerstate/';
  const code = statuses.find((status) => status.code?.toLowerCase().startsWith(prefix))?.code;
  return code?.slice(prefix.length).toLowerCase();
}
