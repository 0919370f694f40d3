/** Shared by the scenarios of routes on Azure: nodes with their machines, and their routes in the table. */
import assert from 'node:assert/strict';
import {
  aMachine,
  aRoute,
  aTable,
  type FakeAzure,
  type FakeRoute,
  type FakeTable,
  keyOf,
  tableId,
} from '../../support/arm/index.ts';
import type { AzureCluster } from './azure-cluster.ts';
import { networkConditionOf } from './seen-node.ts';

/** Adds a machine with its node, and returns the name of both. */
export async function addNode(cluster: AzureCluster, number: number): Promise<string> {
  const machine = aMachine(number);
  cluster.put(machine);
  await cluster.scenario.register({ name: machine.name });
  return machine.name;
}

export function tableOf({ arm }: FakeAzure): FakeTable {
  const table = arm.state.tables.get(keyOf(tableId(aTable())));
  assert(table !== undefined, 'there is no table');
  return table;
}

export async function untilRouted(
  { scenario }: AzureCluster,
  names: readonly string[],
  withinMs?: number,
): Promise<void> {
  for (const name of names) {
    await scenario.until(
      () => networkConditionOf(scenario.node(name)) === 'False RouteCreated',
      withinMs,
    );
  }
}

/** The routes with a name that managers give. */
export function routesOf({ azure }: AzureCluster): FakeRoute[] {
  return byName(tableOf(azure).routes.filter(({ name }) => name.includes('____')));
}

export function wantedFor({ scenario }: AzureCluster, names: readonly string[]): FakeRoute[] {
  const routes = names.flatMap((name) => {
    const { spec, status } = scenario.node(name);
    return (spec.podCIDRs ?? []).map((destination) => {
      const isIPv6 = destination.includes(':');
      const hop = status.addresses?.find(
        ({ type, address }) => type === 'InternalIP' && address.includes(':') === isIPv6,
      );
      return aRoute(
        `${name}____${destination.replaceAll(/[:./]/g, '')}`,
        destination,
        hop?.address,
      );
    });
  });
  assert.equal(routes.length, 2 * names.length);
  return byName(routes);
}

function byName(routes: readonly FakeRoute[]): FakeRoute[] {
  return routes.toSorted((a, b) => a.name.localeCompare(b.name));
}
