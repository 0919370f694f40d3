/** What the manager is told of the pods' networks, whichever controllers run; and routes, which it does not manage yet. */
import type { Cidr } from '@tandem/core/ip';
import { accepted, type AnyFlag, type DefaultedFlag, type Flag, honoured } from '../flag.ts';
import { bool, duration, networks } from '../values/index.ts';

export const configureCloudRoutes: DefaultedFlag<boolean> = {
  name: 'configure-cloud-routes',
  type: bool,
  byDefault: 'true',
  standing: accepted(
    "Tandem does not configure routes yet; if you need them, run your cloud's own manager beside it",
    'false',
  ),
  help: "Configure routes for the nodes' pod CIDRs in the cloud. If false, the startup log does not mention routes.",
};

export const clusterCidr: Flag<readonly Cidr[]> = {
  name: 'cluster-cidr',
  type: networks,
  standing: honoured,
  help: "Ranges of the cluster's pods: one CIDR, or one of each family separated by a comma, the primary family first. The manager passes them to the provider and, with --allocate-node-cidrs, gives nodes their pod CIDRs from them. Host bits are cut off: 10.244.9.9/16 means 10.244.0.0/16.",
};

export const podNetworkFlags: readonly AnyFlag[] = [
  configureCloudRoutes,
  clusterCidr,
  {
    name: 'route-reconciliation-period',
    type: duration(),
    byDefault: '10s',
    standing: accepted('Tandem does not configure routes yet'),
    help: 'Interval between reconciliations of routes.',
  },
];
