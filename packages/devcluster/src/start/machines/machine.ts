/** A machine of the demo: its instance in the cloud, the flags of its kubelet, and the expected result. */
import type { Family } from '@tandem/core/ip';
import type { NodeAddress } from '@tandem/core/node-address';

export interface Machine {
  /** The name of its node. */
  readonly name: string;
  readonly instance: InstancePlan;
  /** `--node-ip`; null where the kubelet has no such flag. */
  readonly nodeIP: string | null;
  readonly annotations: Readonly<Record<string, string>>;
  readonly labels?: Readonly<Record<string, string>>;
  /** The podCIDRs that its node is registered with; mostly none. */
  readonly podCIDRs?: readonly string[];
  readonly expected: Expected;
  readonly expectedPodCIDRs: ExpectedPodCIDRs;
  /** The group that reports show it in. */
  readonly group: 'KEP-3705' | 'odd' | 'further';
}

type InstancePlan =
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

/** The families only: which block of a pool a node gets depends on the order in which nodes register. */
export interface ExpectedPodCIDRs {
  /** The families of its pod CIDRs, in their order. */
  readonly families: readonly Family[];
  /** The code of the problem with them. */
  readonly code: string | null;
}

export const dualStackPodCIDRs: ExpectedPodCIDRs = { families: ['IPv4', 'IPv6'], code: null };

export function internalIPs(addresses: readonly string[]): readonly NodeAddress[] {
  return addresses.map((address) => ({ type: 'InternalIP', address }));
}

/** The labels of nodes that get routes to their pod CIDRs. */
export const routedLabels: Readonly<Record<string, string>> = { network: 'routed' };

/** A machine that is expected to have addresses of both families gets routes to both of its pod CIDRs. */
export function withRoutes(machine: Machine): Machine {
  const { expected, labels } = machine;
  const isDualStack = expected.state === 'ready' && expected.stack.startsWith('DS ');
  return isDualStack ? { ...machine, labels: { ...labels, ...routedLabels } } : machine;
}
