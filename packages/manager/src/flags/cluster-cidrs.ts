/** The ranges of the cluster's pods: what `--cluster-cidr` says, and the pools of the file of `--config`. */
import { type Cidr, formatCidr } from '@tandem/core/ip';
import type { GivenFlags } from '@tandem/cli/flags';
import type { Configuration } from '../config/index.ts';
import { clusterCidr } from './declared/pod-networks.ts';

/** Each of them once. */
export function clusterCIDRsOf(
  flags: GivenFlags,
  { podCIDRPools }: Pick<Configuration, 'podCIDRPools'>,
): readonly Cidr[] {
  const ofPools = podCIDRPools.flatMap(({ ranges }) => ranges.map(({ cidr }) => cidr));
  const all = [...(flags.find(clusterCidr) ?? []), ...ofPools];
  return [...new Map(all.map((cidr) => [formatCidr(cidr), cidr])).values()];
}
