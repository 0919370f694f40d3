/**
 * Whether a machine runs, as upstream defines it: it is shut down when it was provisioned and is stopped or
 * deallocated, or about to be deallocated; it no longer exists once Azure is deleting it. `stopping` is not
 * shut down yet.
 */
import type { InstanceState } from '@tandem/provider/plug';

export interface MachineStatus {
  /** `Succeeded`, `Creating`, `Updating`, `Deleting`, `Failed` … */
  readonly provisioning: string | undefined;
  /** `running`, `deallocated` …; undefined where Azure did not say. */
  readonly power: string | undefined;
}

/** Undefined where it cannot be told. */
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
      // A machine has no power state before it has been created.
      return phase === 'creating' ? 'pending' : undefined;
  }
}

export function isDeleting({ provisioning }: MachineStatus): boolean {
  return provisioning?.toLowerCase() === 'deleting';
}

/** The power state among the statuses of an instance view, in which it is one of several. */
export function powerOf(
  statuses: readonly { readonly code?: string | undefined }[] = [],
): string | undefined {
  const prefix = 'powerstate/';
  const code = statuses.find((status) => status.code?.toLowerCase().startsWith(prefix))?.code;
  return code?.slice(prefix.length).toLowerCase();
}
