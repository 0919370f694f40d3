/** The node-route-controller: creates routes to the pod CIDRs of nodes in the cloud. */
import {
  controllerName,
  RouteController,
  routeEvents,
  routeMetricTable,
} from '@tandem/controllers/route';
import type { Cidr } from '@tandem/core/ip';
import type { LabelSelector } from '@tandem/core/node-address';
import { bool, type DefaultedFlag, duration, type Flag } from '@tandem/cli/flags';
import { goDuration } from '@tandem/cli/duration';
import { type Grant, onNodes } from '../access/index.ts';
import { clusterCIDRsOf, serviceClusterIpRange } from '../pod-cidrs/flags.ts';
import { type ControllerDeclaration, declareController, eventNotes } from './declaration.ts';

const configureCloudRoutes: DefaultedFlag<boolean> = {
  name: 'configure-cloud-routes',
  type: bool,
  byDefault: 'true',
  help: "Give the cloud routes to the nodes' pod CIDRs, where the provider has route tables. Requires --cluster-cidr, or podCIDRPools in the file of --config: only routes inside these ranges are touched.",
};

const routeReconciliationPeriod: Flag<number> = {
  name: 'route-reconciliation-period',
  type: duration({ minMs: 1000 }),
  help: 'Interval between two full passes over the routes. Default: between 45s and 55s, at random; the upstream default is 10s. Changes of nodes take effect at once, whatever the interval.',
};

const grants: readonly Grant[] = [
  {
    part: controllerName,
    purpose: 'a node that changed during a write',
    ...onNodes,
    verbs: { get: 'Nodes that change during a write are not told that their routes are there' },
  },
  {
    part: controllerName,
    purpose: 'the condition NetworkUnavailable',
    ...onNodes,
    resource: 'nodes/status',
    verbs: { patch: 'Nodes whose routes are there stay marked as without a network' },
  },
];

/** Why there are no routes without ranges: foreign routes would look the same. Upstream's manager fails here. */
const noRanges = 'neither --cluster-cidr nor podCIDRPools names the ranges of the pods';

const noTables = 'the cloud provider has no route tables';

/**
 * The default period. It is partly random, because many clusters may share one cloud account. It is shorter than the minute
 * within which a wrong route is corrected, by the time that the correction takes.
 */
const usualPeriodMs = { min: 45_000, max: 55_000 };

interface NodeRouteSettings {
  readonly isOn: boolean;
  readonly clusterCIDRs: readonly Cidr[];
  readonly serviceRanges: readonly Cidr[];
  readonly selector: LabelSelector | undefined;
  readonly periodMs: { readonly min: number; readonly max: number };
}

export const nodeRoute: ControllerDeclaration = declareController<NodeRouteSettings>({
  name: controllerName,
  alias: 'route',
  serviceAccount: 'route-controller',
  flags: [
    { title: 'Node route controller', flags: [configureCloudRoutes, routeReconciliationPeriod] },
  ],
  read(flags, { file, isSelected, notes }) {
    const givenMs = flags.find(routeReconciliationPeriod);
    const isOn = flags.of(configureCloudRoutes);
    const clusterCIDRs = clusterCIDRsOf(flags, file);
    if (isSelected && isOn && clusterCIDRs.length === 0) {
      const level = flags.isGiven(configureCloudRoutes) ? 'warn' : 'info';
      notes.push({ level, message: 'Managing no routes', fields: { reason: noRanges } });
    }
    return {
      isOn,
      clusterCIDRs,
      serviceRanges: flags.find(serviceClusterIpRange) ?? [],
      selector: file.routeSelector,
      periodMs: givenMs === undefined ? usualPeriodMs : { min: givenMs, max: givenMs },
    };
  },
  idleBecause({ isOn, clusterCIDRs }) {
    if (!isOn) return '--configure-cloud-routes is false';
    return clusterCIDRs.length === 0 ? noRanges : undefined;
  },
  show: ({ isOn, periodMs: { min, max } }) => ({
    upstream: {
      KubeCloudShared: {
        ConfigureCloudRoutes: isOn,
        RouteReconciliationPeriod: goDuration(max),
      },
    },
    own: {
      routes: {
        period: min === max ? goDuration(max) : `${goDuration(min)} to ${goDuration(max)}`,
      },
    },
  }),
  grants,
  needs: (_, mode) => (mode === 'write' ? grants : []),
  metrics: Object.values(routeMetricTable),
  events: eventNotes(routeEvents),
  routeScope: ({ clusterCIDRs, selector }) => ({ clusterCIDRs, selector }),
  create({ clusterCIDRs, serviceRanges, selector, periodMs }, parts) {
    const { routeTables: tables, managedRoutes, logger, beforeCloudWrite: beforeWrite } = parts;
    if (tables === undefined || managedRoutes === undefined) {
      logger.info({ reason: noTables }, 'Managing no routes');
      return undefined;
    }
    const { listed } = managedRoutes;
    const settings = { clusterCIDRs, serviceRanges, selector, periodMs };
    return new RouteController({ ...parts, tables, listed, settings, beforeWrite });
  },
});
