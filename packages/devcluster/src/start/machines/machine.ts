/** A machine of the simulated world: what the cloud knows of it, how its kubelet starts, and the expected result. */
import type { Family } from '@tandem/core/ip';
import type { NodeAddress } from '@tandem/core/node-address';

export interface Machine {
  /** Of the node. */
  readonly name: string;
  readonly instance: InstancePlan;
  /** `--node-ip`; null where kubelet is started without. */
  readonly nodeIP: string | null;
  readonly annotations: Readonly<Record<string, string>>;
  readonly labels?: Readonly<Record<string, string>>;
  /** Those that its node is registered with; mostly none. */
  readonly podCIDRs?: readonly string[];
  readonly expected: Expected;
  readonly expectedPodCIDRs: ExpectedPodCIDRs;
  /** Which table or group it belongs to, for the words of a report. */
  readonly group: 'KEP-3705' | 'odd' | 'further';
}

export type InstancePlan =
  | { readonly kind: 'own'; readonly addresses: readonly NodeAddress[] }
  | { readonly kind: 'none' }
  /** The node claims the machine of another node, once that node is initialised. */
  | { readonly kind: 'of'; readonly name: string }
  /** A machine of another cloud. */
  | { readonly kind: 'foreign'; readonly providerID: string };

export type Expected =
  | { readonly state: 'ready'; readonly addresses: readonly string[]; readonly stack: string }
  | { readonly state: 'refused'; readonly code: string }
  | { readonly state: 'paused' };

/** Which block of a pool a node gets depends on the order in which nodes register. */
export interface ExpectedPodCIDRs {
  /** Of its pod CIDRs, in their order. */
  readonly families: readonly Family[];
  /** What is wrong with them. */
  readonly code: string | null;
}

export const dualStackPodCIDRs: ExpectedPodCIDRs = { families: ['IPv4', 'IPv6'], code: null };

export function internalIPs(addresses: readonly string[]): readonly NodeAddress[] {
  return addresses.map((address) => ({ type: 'InternalIP', address }));
}

/** Of nodes that get routes to their pod CIDRs. */
export const routedLabels: Readonly<Record<string, string>> = { network: 'routed' };

/** A machine that is expected to have addresses of both families gets routes to both of its pod CIDRs. */
export function withRoutes(machine: Machine): Machine {
  const { expected, labels } = machine;
  const isDualStack = expected.state === 'ready' && expected.stack.startsWith('DS ');
  return isDualStack ? { ...machine, labels: { ...labels, ...routedLabels } } : machine;
}
