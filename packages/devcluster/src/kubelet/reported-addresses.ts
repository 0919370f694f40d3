/**
 * The addresses that a kubelet with an external cloud provider reports while no manager has written any: it
 * knows no more than its `--node-ip` and what it detects on its machine.
 */
import { parseAddress } from '@tandem/core/ip';
import {
  type KubeletKind,
  type KubeletOutcome,
  type NodeAddress,
  runKubelet,
} from '@tandem/core/node-address';

/** What kubelet would find on the default route of its machine. */
export interface Machine {
  readonly IPv4: string;
  readonly IPv6: string;
}

export interface ReportedFrom {
  readonly hostname: string;
  readonly nodeIP: string | null;
  readonly kind: KubeletKind;
  readonly machine: Machine;
}

/** Null where kubelet leaves the addresses alone, because what it was given fails its validation. */
export function reportedAddresses(from: ReportedFrom): readonly NodeAddress[] | null {
  return addressesOf(runKubelet(from.nodeIP, from.kind), from);
}

/** The same of a kubelet that has made something of its flags already. */
export function addressesOf(
  { annotation, withheld }: Pick<KubeletOutcome, 'annotation' | 'withheld'>,
  from: Omit<ReportedFrom, 'kind'>,
): readonly NodeAddress[] | null {
  if (withheld !== null) return null;
  return [
    ...internalIPs(annotation, from).map((address) => ({ type: 'InternalIP', address })),
    { type: 'Hostname', address: from.hostname },
  ];
}

/** The words of KEP-3705 are for the cloud to fill in: with one of them kubelet knows no address. */
function internalIPs(
  annotation: string | null,
  { nodeIP, machine }: Omit<ReportedFrom, 'kind'>,
): readonly string[] {
  if (annotation !== null) {
    const parts = annotation.split(',');
    return parts.every((part) => parseAddress(part) !== undefined) ? parts : [];
  }
  // An unspecified address asks kubelet to detect one of that family.
  const parts = (nodeIP ?? '').split(',').map((part) => part.trim());
  if (parts.includes('0.0.0.0')) return [machine.IPv4];
  return parts.includes('::') ? [machine.IPv6] : [];
}
