/**
 * Shared by the scenarios of routes: nodes that come and go with their instances, the routes that the nodes of the
 * cluster want, and the rules that no manager may break at any moment.
 */
import assert from 'node:assert/strict';
import type { CuttingProxy } from '../../support/cutting-proxy/index.ts';
import type { Scenario } from '../manager/scenario.ts';
import { networkConditionOf, type SeenNode } from '../manager/seen-node.ts';
import { watchReuse } from '../pod-cidrs/allocation.ts';
import type { CloudQuestion } from './cloud-wire.ts';
import type { ServedCloud } from './served-cloud.ts';

/** Flags of a manager that does not allocate and whose passes come soon. */
export const routing: readonly string[] = [
  '--controllers=cloud-node-controller,node-route-controller',
  '--cluster-cidr=10.244.0.0/16,fd00:10:244::/48',
  '--leader-elect=false',
  '--route-reconciliation-period=2s',
];

export function blocks(number: number): readonly [string, string] {
  return [`10.244.${number}.0/24`, number === 0 ? 'fd00:10:244::/64' : ipv6Block(number)];
}

function ipv6Block(number: number): string {
  return `fd00:10:244:${number.toString(16)}::/64`;
}

export interface RoutedCluster {
  readonly scenario: Scenario;
  readonly served: ServedCloud;
}

/** Creates an instance, and registers its node with these podCIDRs. */
export async function join(
  { scenario, served }: RoutedCluster,
  name: string,
  podCIDRs: readonly string[],
): Promise<void> {
  served.cloud.create({ name });
  await scenario.register({ name, podCIDRs });
}

/** Terminates the instance, and deletes its node. */
export async function leave({ scenario, served }: RoutedCluster, name: string): Promise<void> {
  served.cloud.terminate(name);
  await scenario.deleteNode(name);
}

/** The routes that the current nodes want, as `destination -> key`. */
function wantedRoutes({ scenario }: RoutedCluster): string[] {
  const nodes = [...scenario.nodes.objects.values()];
  return nodes
    .flatMap((node) => (node.spec.podCIDRs ?? []).map((text) => `${text} -> ${keyOf(node)}`))
    .toSorted();
}

interface RoutedTables {
  readonly tables?: readonly string[];
  readonly others?: readonly string[];
}

/** Waits until the tables have exactly the routes of the nodes and these routes of others, and nodes say so. */
export async function untilRouted(
  cluster: RoutedCluster,
  wanted: RoutedTables = {},
): Promise<void> {
  await cluster.scenario.until(() => {
    for (const table of wanted.tables ?? ['main']) {
      assert.deepEqual(cluster.served.routes(table), wholeTable(cluster, table, wanted), table);
    }
    for (const node of cluster.scenario.nodes.objects.values()) {
      assert.equal(networkConditionOf(node), 'False RouteCreated', node.metadata.name);
    }
    return true;
  });
}

/** Whether that holds now. */
export function isRouted(cluster: RoutedCluster, wanted: RoutedTables = {}): boolean {
  const { tables = ['main'] } = wanted;
  const isWhole = (table: string): boolean =>
    cluster.served.routes(table).join() === wholeTable(cluster, table, wanted).join();
  const nodes = [...cluster.scenario.nodes.objects.values()];
  return (
    tables.every(isWhole) &&
    nodes.every((node) => networkConditionOf(node) === 'False RouteCreated')
  );
}

function wholeTable(
  cluster: RoutedCluster,
  table: string,
  { others = [] }: RoutedTables,
): string[] {
  const foreign = others.map((destination) => `${destination} -> other (foreign)`);
  return [...wantedRoutes(cluster), ...(table === 'main' ? foreign : [])].toSorted();
}

/**
 * T1: managers write a route only to a node that had the destination with that instance at some time. T3: no change
 * names a route of others. The result collects the violations.
 */
export function watchChanges({ scenario, served }: RoutedCluster): string[] {
  const broken: string[] = [];
  served.interfere({
    on: ({ kind }) => kind === 'change',
    when: 'before',
    act(question) {
      const fault = findFault(question, { scenario, served });
      if (fault !== undefined) broken.push(fault);
      return 'pass';
    },
  });
  return broken;
}

function findFault(
  question: CloudQuestion,
  { scenario, served }: RoutedCluster,
): string | undefined {
  if (question.kind !== 'change') return undefined;
  const { operation } = question;
  const listed = served.cloud.routes?.routesOf(operation.table) ?? [];
  const touched =
    operation.kind === 'create' ? undefined : listed.find(({ id }) => id === operation.route);
  if (touched?.ours === false)
    return `${operation.kind} of the route of others ${touched.destination}`;
  if (operation.kind === 'delete') return undefined;
  const destination = operation.kind === 'create' ? operation.destination : touched?.destination;
  const { name, key } = operation.to;
  const hasHad = scenario.nodes.history.some(
    (node) =>
      node.metadata.name === name &&
      keyOf(node) === key &&
      (node.spec.podCIDRs ?? []).includes(destination ?? ''),
  );
  return hasHad ? undefined : `${operation.kind} ${destination} to ${name} (${key})`;
}

/**
 * T5: when a manager reports `RouteCreated` for a node, every table has its routes. I7: when one gives a node a block,
 * no table has a route of ours to it. The check runs when the write arrives, before it is stored.
 */
export function watchWrites(
  proxy: CuttingProxy,
  { scenario, served }: RoutedCluster,
  tables: readonly string[] = ['main'],
): string[] {
  const ours = (): string[] =>
    tables.flatMap((table) => served.routes(table).filter((route) => !route.endsWith('(foreign)')));
  const broken = watchReuse(proxy, () => ours().map((route) => route.split(' ')[0] ?? ''));
  proxy.interfere({
    on: ({ method, body }) => method === 'PATCH' && body.includes('"RouteCreated"'),
    when: 'before',
    act({ path }) {
      const node = scenario.node(path.split('/')[4] ?? '');
      const missing = (node.spec.podCIDRs ?? [])
        .map((text) => `${text} -> ${keyOf(node)}`)
        .filter((route) => ours().filter((one) => one === route).length < tables.length);
      broken.push(...missing.map((route) => `RouteCreated without ${route}`));
      return 'pass';
    },
  });
  return broken;
}

/** The cloud's key of the instance of a node. */
export function keyOf({ spec }: SeenNode): string {
  return spec.providerID?.split('/').at(-1) ?? '';
}
