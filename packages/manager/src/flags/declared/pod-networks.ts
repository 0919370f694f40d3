/** What the manager is told of the pods' networks and of the routes to them. Several controllers read it. */
import { type Cidr, formatCidr } from '@tandem/core/ip';
import {
  type AnyFlag,
  bool,
  type DefaultedFlag,
  duration,
  type Flag,
  type GivenFlags,
  honoured,
  networks,
} from '@tandem/cli/flags';
import type { Configuration } from '../../config/index.ts';

export const configureCloudRoutes: DefaultedFlag<boolean> = {
  name: 'configure-cloud-routes',
  type: bool,
  byDefault: 'true',
  support: honoured,
  help: "Give the cloud routes to the nodes' pod CIDRs, where the provider has route tables. Requires --cluster-cidr, or podCIDRPools in the file of --config: only routes inside these ranges are touched.",
};

export const clusterCidr: Flag<readonly Cidr[]> = {
  name: 'cluster-cidr',
  type: networks,
  support: honoured,
  help: "Ranges of the cluster's pods: one CIDR, or one of each family separated by a comma, the primary family first. The manager passes them to the provider and, with --allocate-node-cidrs, gives nodes their pod CIDRs from them. Host bits are cut off: 10.244.9.9/16 means 10.244.0.0/16.",
};

export const routeReconciliationPeriod: Flag<number> = {
  name: 'route-reconciliation-period',
  type: duration({ minMs: 1000 }),
  support: honoured,
  help: 'Interval between two full passes over the routes. Default: between 45s and 60s, at random; the upstream default is 10s. Changes of nodes take effect at once, whatever the interval.',
};

export const podNetworkFlags: readonly AnyFlag[] = [
  configureCloudRoutes,
  clusterCidr,
  routeReconciliationPeriod,
];

/** The ranges of `--cluster-cidr` and of the pools of the file of `--config`, each once. */
export function clusterCIDRsOf(
  flags: GivenFlags,
  { podCIDRPools }: Pick<Configuration, 'podCIDRPools'>,
): readonly Cidr[] {
  const ofPools = podCIDRPools.flatMap(({ ranges }) => ranges.map(({ cidr }) => cidr));
  const all = [...(flags.find(clusterCidr) ?? []), ...ofPools];
  return [...new Map(all.map((cidr) => [formatCidr(cidr), cidr])).values()];
}
