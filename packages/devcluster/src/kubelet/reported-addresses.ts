/**
 * The addresses that a kubelet with an external cloud provider reports while no manager has written any: it
 * knows only its `--node-ip` and what it detects on its machine.
 */
import { parseAddress } from '@tandem/core/ip';
import type { KubeletOutcome, NodeAddress } from '@tandem/core/node-address';

interface KubeletMachine {
  readonly hostname: string;
  readonly nodeIP: string | null;
  /** What the kubelet would find on the default route of its machine. */
  readonly machine: { readonly IPv4: string; readonly IPv6: string };
}

/** Null where the kubelet leaves the addresses alone, because its `--node-ip` fails its validation. */
export function reportedAddresses(
  { annotation, withheld }: Pick<KubeletOutcome, 'annotation' | 'withheld'>,
  from: KubeletMachine,
): readonly NodeAddress[] | null {
  if (withheld !== null) return null;
  return [
    ...internalIPs(annotation, from).map((address) => ({ type: 'InternalIP', address })),
    { type: 'Hostname', address: from.hostname },
  ];
}

/** The cloud fills in the words of KEP-3705: a kubelet with one of them knows no address. */
function internalIPs(
  annotation: string | null,
  { nodeIP, machine }: KubeletMachine,
): readonly string[] {
  if (annotation !== null) {
    const parts = annotation.split(',');
    return parts.every((part) => parseAddress(part) !== undefined) ? parts : [];
  }
  // An unspecified address asks the kubelet to detect one of that family.
  const parts = (nodeIP ?? '').split(',').map((part) => part.trim());
  if (parts.includes('0.0.0.0')) return [machine.IPv4];
  return parts.includes('::') ? [machine.IPv6] : [];
}
