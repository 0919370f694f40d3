/** A machine of the simulated world: what the cloud knows of it, how its kubelet starts, what shall come of it. */
import type { NodeAddress } from '@tandem/core/node-address';

export interface Machine {
  /** Of the node. */
  readonly name: string;
  readonly instance: InstancePlan;
  /** `--node-ip`; null where kubelet is started without. */
  readonly nodeIP: string | null;
  readonly annotations: Readonly<Record<string, string>>;
  readonly expected: Expected;
  /** Which table or group it belongs to, for the words of a report. */
  readonly group: 'KEP-3705' | 'odd' | 'further';
}

export type InstancePlan =
  | { readonly kind: 'own'; readonly addresses: readonly NodeAddress[] }
  | { readonly kind: 'none' }
  /** The node says that it is somebody else's machine, once that one is initialised. */
  | { readonly kind: 'of'; readonly name: string }
  /** A machine of another cloud. */
  | { readonly kind: 'foreign'; readonly providerID: string };

export type Expected =
  | { readonly state: 'ready'; readonly addresses: readonly string[]; readonly stack: string }
  | { readonly state: 'refused'; readonly code: string }
  | { readonly state: 'paused' };

export function internalIPs(addresses: readonly string[]): readonly NodeAddress[] {
  return addresses.map((address) => ({ type: 'InternalIP', address }));
}
