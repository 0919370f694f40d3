/** How often the table is read and written for many new nodes whose pods need routes. */
import type { Resource } from '@tandem/kube/client';
import { type FakeAzure, keyOf, tableId, aTable } from '../../support/arm/index.ts';
import { type Cluster, nodes as nodeResource } from '../contest/cluster.ts';
import { type StartedContender, untilDone } from '../contest/run.ts';
import { aRoutedNode, routedLabel, withFleet } from './machines.ts';

const newCount = 100;

export interface NewNodes {
  readonly newNodes: number;
  readonly tableReads: number;
  readonly tableWrites: number;
  readonly newNodesCalls: number;
  readonly newNodesSeconds: number;
}

export async function measureNewNodes(setup: {
  readonly cluster: Cluster;
  readonly azure: FakeAzure;
  readonly running: StartedContender;
  /** The number of existing nodes. */
  readonly nodes: number;
}): Promise<NewNodes> {
  const { cluster, azure, running, nodes } = setup;
  const { arm } = azure;
  const { clock } = cluster.ports;
  await untilDone(cluster.ports, async () => !(await cluster.hasUninitialized()));
  await cluster.untilQuiet(running.pid);
  arm.state = withFleet(arm.state, nodes + newCount);
  arm.forgetCalls();
  const startMs = clock.monotonic();
  const load = await cluster.load();
  await load.createNodes(newCount, (number) => aRoutedNode(nodes + number));
  await untilDone(cluster.ports, async () => {
    const table = arm.state.tables.get(keyOf(tableId(aTable())));
    return table?.routes.length === 2 * newCount && (await areAvailable(cluster));
  });
  const seconds = (clock.monotonic() - startMs) / 1_000;
  const countOf = (call: string): number => arm.calls.filter((each) => each === call).length;
  return {
    newNodes: newCount,
    tableReads: countOf('routeTables.get'),
    tableWrites: countOf('routeTables.createOrUpdate'),
    newNodesCalls: arm.calls.length,
    newNodesSeconds: seconds,
  };
}

interface NodeList {
  readonly items: readonly {
    readonly status: { readonly conditions?: readonly { type: string; status: string }[] };
  }[];
}

async function areAvailable(cluster: Cluster): Promise<boolean> {
  const labelSelector = new URLSearchParams(routedLabel).toString();
  const resource: Resource = nodeResource;
  const { items } = await cluster.get<NodeList>(resource, { labelSelector });
  return items.every(({ status }) =>
    status.conditions?.some(
      ({ type, status: is }) => type === 'NetworkUnavailable' && is === 'False',
    ),
  );
}
