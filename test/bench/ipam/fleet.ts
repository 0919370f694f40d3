/** The nodes that need pod CIDRs, and the CIDRs that the bare client gives them. */
import { aNode } from '../informer/node-objects.ts';

/** An initialised node that lacks only its pod CIDRs. */
export function anInitializedNode(number: number): object {
  const { spec, ...node } = aNode(number);
  return { ...node, spec: { providerID: spec.providerID, taints: spec.taints } };
}

/** Different ones for each node: a /24 of 10.0.0.0/8 and a /64 of fd00::/48. */
export function podCIDRsOf(number: number): string[] {
  return [
    `10.${number >> 8}.${number & 255}.0/24`,
    // The network of all zeros is written in another way.
    `fd00:0:0:${(number + 1).toString(16)}::/64`,
  ];
}
