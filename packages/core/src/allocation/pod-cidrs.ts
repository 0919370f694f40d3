/** The podCIDRs of a node as values. The API server takes some texts that are no clean network. */
import { type Cidr, parseLooseCidr } from '../ip/index.ts';

/** One of a node's podCIDRs; without a value where the text is no network at all. */
export interface PodCIDR {
  readonly text: string;
  readonly cidr: Cidr | undefined;
}

export function readPodCIDR(text: string): PodCIDR {
  const parsed = parseLooseCidr(text);
  return { text, cidr: parsed.kind === 'cidr' ? parsed.cidr : undefined };
}

/** The values of those that have one. */
export function cidrsOf(podCIDRs: readonly PodCIDR[]): Cidr[] {
  return podCIDRs.flatMap(({ cidr }) => cidr ?? []);
}
