/**
 * What keeps a node from having a route, in words for people. The codes are stable. A node has at most one
 * finding of each, and the order of the input changes none of them.
 */
import { enumerate } from '../node-address/index.ts';

export interface RouteFinding {
  readonly code: RouteFindingCode;
  readonly message: string;
}

export type RouteFindingCode =
  | 'InstanceUnknown'
  | 'InvalidPodCIDR'
  | 'NoInternalIPOfFamily'
  | 'NoRouteTables'
  | 'PodCIDROutsideClusterCIDRs'
  | 'RouteDestinationShared'
  | 'RouteDestinationTaken'
  | 'RouteTableFull';

/** One reason why one route is missing. */
export interface Obstacle {
  readonly code: RouteFindingCode;
  /** The destination, with the table or the nodes that matter. */
  readonly subject: string;
}

/** At most one finding of each code. */
export function findingsOf(obstacles: readonly Obstacle[]): readonly RouteFinding[] {
  if (obstacles.length === 0) return noFindings;
  const byCode = Map.groupBy(obstacles, ({ code }) => code);
  return [...byCode.keys()].toSorted().map((code) => {
    const subjects = (byCode.get(code) ?? []).map(({ subject }) => subject);
    return { code, message: messages[code](enumerate(subjects, subjectsMax), subjects.length) };
  });
}

const noFindings: readonly RouteFinding[] = [];

/** For two destinations in tables with long names. */
const subjectsMax = 250;

const messages: Readonly<Record<RouteFindingCode, (subjects: string, count: number) => string>> = {
  InstanceUnknown: (subjects) =>
    `No route to ${subjects}: the instance of the node is unknown. Check the providerID of the node, and whether the cloud has that instance.`,
  InvalidPodCIDR: (subjects, count) =>
    `No route to ${subjects}: ${count === 1 ? 'it is not a CIDR' : 'they are not CIDRs'}. Delete the Node and let its kubelet register it again.`,
  NoInternalIPOfFamily: (subjects, count) =>
    `No route to ${subjects}: the node has no InternalIP of ${count === 1 ? 'that family. Add one' : 'these families. Add them'} to the instance, or change the node-IP request.`,
  NoRouteTables: (subjects) =>
    `No route to ${subjects}: the cloud lists no route table. Check the provider configuration.`,
  PodCIDROutsideClusterCIDRs: (subjects, count) =>
    `No route to ${subjects}: ${count === 1 ? 'it is outside the cluster CIDRs. Add its range' : 'they are outside the cluster CIDRs. Add their ranges'} to --cluster-cidr or podCIDRPools, or exclude the node with routes.selector.`,
  RouteDestinationShared: (subjects) =>
    `Routes to ${subjects} stay as they are: several Nodes have these addresses. Delete all but one of these Nodes and let their kubelets register them again.`,
  RouteDestinationTaken: (subjects) =>
    `No route to ${subjects}: a route that this manager did not create has this destination. Delete that route.`,
  RouteTableFull: (subjects) =>
    `No route to ${subjects}: the table is full. Raise its quota, or delete routes that are not needed.`,
};
