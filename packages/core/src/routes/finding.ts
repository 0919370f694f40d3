/**
 * The reasons why a node lacks a route, as messages with stable codes. A node has at most one
 * finding of each code, and the order of the input does not change the findings.
 */
import { enumerate } from '../node-address/index.ts';

export interface RouteFinding {
  readonly code: RouteFindingCode;
  readonly message: string;
}

export type RouteFindingCode =
  | 'InstanceLookupFailed'
  | 'InstanceUnknown'
  | 'InvalidPodCIDR'
  | 'NoInternalIPOfFamily'
  | 'NoRouteTables'
  | 'PodCIDRInServiceRange'
  | 'PodCIDROutsideClusterCIDRs'
  | 'RouteDestinationShared'
  | 'RouteDestinationTaken'
  | 'RouteTableFull'
  | 'RouteTargetUnknown';

/** One reason why one route is missing. */
export interface Obstacle {
  readonly code: RouteFindingCode;
  /** The destination, with the table or the nodes that matter. */
  readonly subject: string;
  /** Additional information. */
  readonly why?: string;
}

/** At most one finding of each code. */
export function findingsOf(obstacles: readonly Obstacle[]): readonly RouteFinding[] {
  if (obstacles.length === 0) return noFindings;
  const byCode = Map.groupBy(obstacles, ({ code }) => code);
  return [...byCode.keys()].toSorted().map((code) => {
    const found = byCode.get(code) ?? [];
    const subjects = found.map(({ subject }) => subject);
    const whys = new Set(found.flatMap(({ why }) => why ?? []));
    const about = {
      count: subjects.length,
      why: [...whys].toSorted().slice(0, whysMax).join('; '),
    };
    return { code, message: messages[code](enumerate(subjects, subjectsMax), about) };
  });
}

const noFindings: readonly RouteFinding[] = [];

/** The maximum length of the subjects: two destinations in tables with long names. */
const subjectsMax = 250;
/** One for each family of a node. Each has at most 200 characters. */
const whysMax = 2;

type Wording = (
  subjects: string,
  about: { readonly count: number; readonly why: string },
) => string;

/** If a plan decides nothing about a destination, a route to it may still exist. */
const messages: Readonly<Record<RouteFindingCode, Wording>> = {
  InstanceLookupFailed: (subjects, { why }) =>
    `Cannot manage routes to ${subjects} yet: the instance of the node could not be looked up (${why}). Tandem tries again by itself.`,
  InstanceUnknown: (subjects) =>
    `Cannot manage routes to ${subjects}: the cloud has no instance for the node. Delete the Node if its machine is gone, or correct its providerID.`,
  InvalidPodCIDR: (subjects, { count }) =>
    `No route to ${subjects}: ${count === 1 ? 'it is not a CIDR' : 'they are not CIDRs'}. Delete the Node and let its kubelet register it again.`,
  NoInternalIPOfFamily: (subjects, { count }) =>
    `Cannot manage routes to ${subjects}: the node has no InternalIP of ${count === 1 ? 'that family. Add one' : 'these families. Add them'} to the instance, or change the node-IP request.`,
  NoRouteTables: (subjects) =>
    `No route to ${subjects}: the cloud lists no route table. Check the provider configuration.`,
  PodCIDRInServiceRange: (subjects, { why }) =>
    `Cannot manage routes to ${subjects}: Services use these addresses (${why}). Delete the Node and let its kubelet register it again, so that it gets other podCIDRs.`,
  PodCIDROutsideClusterCIDRs: (subjects, { count }) =>
    `Cannot manage routes to ${subjects}: ${count === 1 ? 'it is outside the cluster CIDRs. Add its range' : 'they are outside the cluster CIDRs. Add their ranges'} to --cluster-cidr or podCIDRPools, or exclude the node with routes.selector.`,
  RouteDestinationShared: (subjects) =>
    `Routes to ${subjects} stay as they are: several Nodes have these addresses. Delete all but one of these Nodes and let their kubelets register them again.`,
  RouteDestinationTaken: (subjects) =>
    `No route to ${subjects}: a route that this manager did not create has this destination. Delete that route.`,
  RouteTableFull: (subjects) =>
    `No route to ${subjects}: the table is full. Raise its quota, or delete routes that are not needed.`,
  RouteTargetUnknown: (subjects, { why }) =>
    `Routes to ${subjects} stay as they are: the cloud does not say where they lead (${why}). Tandem tries again by itself.`,
};
