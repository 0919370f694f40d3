/**
 * The summary of a dry run: the nodes that would change and how, those that would be refused and by
 * which code, those that are undecided, and the changes of the route tables. It names as many nodes
 * and destinations as fit on a screen.
 */
import type { Forecast, NodeForecast, RouteChange } from './forecast.ts';
import type { Missing } from './one-look.ts';

/** The maximum number of names in a group; the rest is counted. */
const namesMax = 20;

export interface Group {
  readonly nodes: number;
  /** In alphabetical order, at most twenty. */
  readonly names: readonly string[];
}

/** Changes of routes, in all tables together. */
export interface RouteGroup {
  readonly routes: number;
  readonly destinations: number;
  /** The destinations in alphabetical order, at most twenty. */
  readonly names: readonly string[];
}

export interface RouteChanges extends Readonly<Record<RouteChange['kind'], RouteGroup>> {
  /** Whether the cloud has listed its routes; if not, their changes are unknown. */
  readonly isListed: boolean;
  /** Why there is no list. */
  readonly reason: string | undefined;
}

export interface Summary {
  readonly result: 'unchanged' | 'wouldChange' | 'unknown';
  /** Undefined if the controllers did not run. */
  readonly nodes: number | undefined;
  /** What is missing and why, or why the look ended early. */
  readonly reason: string | undefined;
  readonly wouldChange: Group;
  /** The nodes by kind of write; a node may get several. */
  readonly actions: Readonly<Record<string, Group>>;
  /**
   * The nodes that do not get all that they request, by refusal code, `Paused` or `DeletionHeld`.
   */
  readonly standings: Readonly<Record<string, Group>>;
  /** The nodes about which the cloud gave no answer. */
  readonly unknown: Group;
  /** The nodes that were undecided when the look ended. */
  readonly undecided: Group;
  /** Undefined if routes are not managed. */
  readonly routes: RouteChanges | undefined;
}

export interface Ending {
  readonly missing?: Missing | undefined;
  /** What ended the look early, if anything. */
  readonly failure?: string | undefined;
}

export function summarise(
  forecasts: readonly Forecast[] | undefined,
  ending: Ending = {},
): Summary {
  const all = (forecasts ?? []).filter((forecast) => forecast.kind !== 'routes');
  const decided = all.filter((forecast) => forecast.kind === 'decided');
  const changing = groupOf(decided.filter(({ actions }) => actions.length > 0));
  const silent = all.filter(({ kind }) => kind === 'unknown');
  const isSilent = new Set(silent.map(({ node }) => node));
  const unknown = groupOf(silent);
  // A node that is unknown to one controller and pending for another is counted once.
  const undecided = groupOf(
    all.filter(({ kind, node }) => kind === 'pending' && !isSilent.has(node)),
  );
  const routes = routesOf(forecasts ?? []);
  const areNodesKnown = forecasts !== undefined && unknown.nodes + undecided.nodes === 0;
  const isKnown = areNodesKnown && routes?.isListed !== false;
  const isUnchanged = changing.nodes + changedRoutes(routes) === 0;
  return {
    result: isKnown ? (isUnchanged ? 'unchanged' : 'wouldChange') : 'unknown',
    nodes: forecasts && groupOf(all).nodes,
    reason: reasonOf(ending),
    wouldChange: changing,
    actions: groupsBy(decided, ({ actions }) => actions),
    standings: groupsBy(decided, ({ reason }) => (reason === undefined ? [] : [reason])),
    unknown,
    undecided,
    routes,
  };
}

function routesOf(forecasts: readonly Forecast[]): RouteChanges | undefined {
  const found = forecasts.find((forecast) => forecast.kind === 'routes');
  if (found === undefined) return undefined;
  const groupFor = (kind: RouteChange['kind']): RouteGroup => {
    const changes = found.changes.filter((change) => change.kind === kind);
    const names = [...new Set(changes.map(({ destination }) => destination))].toSorted();
    const destinations = names.length;
    return { routes: changes.length, destinations, names: names.slice(0, namesMax) };
  };
  const [create, replace, remove] = [groupFor('create'), groupFor('replace'), groupFor('delete')];
  const { answer, reason } = found;
  return { isListed: answer === 'listed', reason, create, replace, delete: remove };
}

function changedRoutes(routes: RouteChanges | undefined): number {
  if (routes === undefined) return 0;
  return routes.create.routes + routes.replace.routes + routes.delete.routes;
}

/** The summary as text: a line for the result, and one for each group. */
export function summaryText(summary: Summary): string {
  const { nodes, reason, wouldChange, unknown, undecided, routes } = summary;
  if (nodes === undefined) {
    return `Dry run: result unknown. ${reason ?? 'The look ended before it began.'}\n`;
  }
  const open = unknown.nodes + undecided.nodes;
  const doubt = open === 0 ? '' : `; ${open} unknown`;
  const rows = [
    ...Object.entries(summary.actions).map(([kind, group]) =>
      nodeRow(`would ${actionWords.get(kind) ?? kind}`, group),
    ),
    ...Object.entries(summary.standings).map(([code, group]) =>
      nodeRow(standingWords.get(code) ?? `would be refused: ${code}`, group),
    ),
    nodeRow('no answer from the cloud', unknown),
    nodeRow('not decided in time', undecided),
    ...(routes === undefined ? [] : routeRows(routes)),
  ].filter(({ count }) => count > 0);
  const width = Math.max(0, ...rows.map(({ label }) => label.length));
  const lines = rows.map((row) => `  ${row.label.padEnd(width)}  ${listed(row)}\n`);
  if (routes?.isListed === false)
    lines.push(`  no list of routes from the cloud${causeOf(routes)}\n`);
  const why = reason === undefined ? '' : `Reason: ${reason}\n`;
  return `Dry run: ${wouldChange.nodes} of ${nodes} nodes would change${ofRoutes(routes)}${doubt}\n${lines.join('')}${why}`;
}

function ofRoutes(routes: RouteChanges | undefined): string {
  if (routes === undefined) return '';
  return routes.isListed ? `, ${changedRoutes(routes)} routes would change` : ', routes unknown';
}

function causeOf({ reason }: RouteChanges): string {
  return reason === undefined ? '' : `: ${reason}`;
}

function routeRows(routes: RouteChanges): readonly Row[] {
  return (['create', 'replace', 'delete'] as const).map((kind) => {
    const { routes: count, destinations, names } = routes[kind];
    return { label: `would ${kind} routes`, count, names, more: destinations - names.length };
  });
}

function reasonOf({ missing, failure }: Ending): string | undefined {
  if (missing === undefined) return failure;
  const { what, reason } = missing;
  const words = missingWords[what];
  const why = failure ?? (reason === undefined ? undefined : `${reason}.`);
  return why === undefined ? `${words} in time.` : `${words}: ${why}`;
}

const missingWords: Readonly<Record<Missing['what'], string>> = {
  'the list of nodes': 'The manager did not get the list of nodes',
  'the cloud provider': 'The cloud provider was not ready',
};

const actionWords: ReadonlyMap<string, string> = new Map([
  ['writeAddresses', 'write addresses'],
  ['writeNetworkCondition', 'mark as without a network'],
  ['clearNetworkCondition', 'mark as routed'],
  ['writeLabels', 'write labels'],
  ['initialise', 'initialise'],
  ['deleteNode', 'delete'],
  ['addShutdownTaint', 'add the shutdown taint'],
  ['removeShutdownTaint', 'remove the shutdown taint'],
  ['assignPodCIDRs', 'assign pod CIDRs'],
]);

const standingWords: ReadonlyMap<string, string> = new Map([
  ['Paused', 'paused, would not change'],
  ['DeletionHeld', 'would be held by the deletion brake'],
  ['CIDRNotAvailable', 'would get no pod CIDRs: CIDRNotAvailable'],
  ['DuplicatePodCIDR', 'shares pod CIDRs with another node: DuplicatePodCIDR'],
  ['PodCIDROutsidePools', 'has pod CIDRs outside the pools: PodCIDROutsidePools'],
  ['PodCIDRFamilyMissing', 'has pod CIDRs of one family only: PodCIDRFamilyMissing'],
  ['PodCIDRFamilyOrder', 'has pod CIDRs in another order of families: PodCIDRFamilyOrder'],
  [
    'CloudCIDRAllocatorMismatch',
    'has other pod CIDRs than its instance: CloudCIDRAllocatorMismatch',
  ],
  ['InstanceLookupFailed', 'routes would stay as they are: InstanceLookupFailed'],
  ['InstanceUnknown', 'routes would stay as they are: InstanceUnknown'],
  ['InvalidPodCIDR', 'would get no route: InvalidPodCIDR'],
  ['NoInternalIPOfFamily', 'routes would stay as they are: NoInternalIPOfFamily'],
  ['NoRouteTables', 'would get no route: NoRouteTables'],
  ['PodCIDRInServiceRange', 'routes would stay as they are: PodCIDRInServiceRange'],
  ['PodCIDROutsideClusterCIDRs', 'routes would stay as they are: PodCIDROutsideClusterCIDRs'],
  ['RouteDestinationShared', 'routes would stay as they are: RouteDestinationShared'],
  ['RouteDestinationTaken', 'would get no route: RouteDestinationTaken'],
  ['RouteTableFull', 'would get no route: RouteTableFull'],
]);

/** One line of the text. */
interface Row {
  readonly label: string;
  readonly count: number;
  readonly names: readonly string[];
  /** The number of names that are left out. */
  readonly more: number;
}

function nodeRow(label: string, { nodes, names }: Group): Row {
  return { label, count: nodes, names, more: nodes - names.length };
}

function listed({ count, names, more }: Row): string {
  return `${count}: ${names.join(', ')}${more > 0 ? ` and ${more} more` : ''}`;
}

function groupsBy<T extends NodeForecast>(
  forecasts: readonly T[],
  keysOf: (forecast: T) => readonly string[],
): Record<string, Group> {
  const keys = new Set(forecasts.flatMap(keysOf));
  return Object.fromEntries(
    [...keys]
      .toSorted()
      .map((key) => [key, groupOf(forecasts.filter((forecast) => keysOf(forecast).includes(key)))]),
  );
}

/** Groups forecasts by node: several controllers may have forecasts about one node. */
function groupOf(forecasts: readonly NodeForecast[]): Group {
  const names = [...new Set(forecasts.map(({ node }) => node))].toSorted();
  return { nodes: names.length, names: names.slice(0, namesMax) };
}
