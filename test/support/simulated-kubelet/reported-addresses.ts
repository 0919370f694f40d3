/**
 * The addresses that kubelet reports while no cloud provider has written any: with an external provider
 * it knows no more than its `--node-ip` and what it detects on its machine.
 */
import { type NodeAddress, runKubelet } from '@tandem/core/node-address';

/** What kubelet would find on the default route of its machine. */
export interface Machine {
  readonly IPv4: string;
  readonly IPv6: string;
}

export function reportedAddresses(flags: {
  readonly hostname: string;
  readonly nodeIP: string | null;
  readonly machine: Machine;
}): NodeAddress[] {
  const internal = internalIPs(flags.nodeIP, flags.machine);
  return [
    ...internal.map((address) => ({ type: 'InternalIP', address })),
    { type: 'Hostname', address: flags.hostname },
  ];
}

/** Words of KEP-3705 are for the cloud to fill in: with one of them kubelet knows no address. */
function internalIPs(nodeIP: string | null, machine: Machine): readonly string[] {
  if (nodeIP === '0.0.0.0') return [machine.IPv4];
  if (nodeIP === '::') return [machine.IPv6];
  const literals = runKubelet(nodeIP, 'released').annotation;
  const asked = runKubelet(nodeIP, 'kep').annotation;
  return literals === null || literals !== asked ? [] : literals.split(',');
}
