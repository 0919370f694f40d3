/**
 * The converged cluster: the writes and calls while only heartbeats happen, and how soon a new node gets its routes.
 */
import { sleep } from '@tandem/runtime';
import { eventually } from '../../control-plane/index.ts';
import { type Cluster, nodes as nodeResource } from '../contest/cluster.ts';
import { measureQuiet, type Quiet } from '../contest/quiet.ts';
import { withContender } from '../contest/run.ts';
import { nodeName } from '../informer/node-objects.ts';
import { podCIDRsOf } from '../ipam/fleet.ts';
import type { RouteCalls, RouteContender } from './contenders.ts';
import type { Fleet } from './fleet.ts';
import { measureStartedRoutes } from './run.ts';
import type { RoutesSettings } from './settings.ts';

export interface ConvergedFigures extends Quiet {
  readonly quietLists: number;
  readonly quietChanges: number;
  /** For each added node, the time from the write of its pod CIDRs until its routes exist. */
  readonly newNodeMs: readonly number[];
}

export function measureConverged(
  cluster: Cluster,
  setup: {
    readonly contender: RouteContender;
    readonly fleet: Fleet;
    readonly settings: RoutesSettings;
  },
): Promise<ConvergedFigures> {
  const { contender, fleet, settings } = setup;
  return withContender(cluster, contender, async (running) => {
    await measureStartedRoutes(cluster, { contender, running, count: settings.nodes });
    const before = await contender.calls();
    const quiet = await measureQuiet(cluster, running.pid, settings);
    const after = await contender.calls();
    const newNodeMs: number[] = [];
    for (let added = 0; added < addedNodes; added += 1) {
      newNodeMs.push(await addNode(cluster, { contender, fleet, number: settings.nodes + added }));
      await cluster.untilQuiet(running.pid);
    }
    cluster.ports.say(`  routes of a new node after ${newNodeMs.map(Math.round).join(', ')} ms`);
    return {
      ...quiet,
      quietLists: after.lists - before.lists,
      quietChanges: after.changes - before.changes,
      newNodeMs,
    };
  });
}

/** Added one after the other, so that none waits for the routes of another. */
const addedNodes = 5;

/** Registers a node, and writes its pod CIDRs once the manager rests. */
async function addNode(
  cluster: Cluster,
  options: {
    readonly contender: RouteContender;
    readonly fleet: Fleet;
    readonly number: number;
  },
): Promise<number> {
  const { contender, fleet, number } = options;
  const { clock } = cluster.ports;
  const client = await cluster.client();
  const body = fleet.aNodeWithoutPodCIDRs(number);
  await client.call({ verb: 'create', resource: nodeResource, body });
  await sleep(clock, registrationMs);
  const { changes } = await contender.calls();
  const startMs = clock.now();
  await client.call({
    verb: 'patch',
    resource: { ...nodeResource, name: nodeName(number) },
    body: [{ op: 'add', path: '/spec/podCIDRs', value: podCIDRsOf(number) }],
    contentType: 'application/json-patch+json',
  });
  const calls = await untilChanged(contender, changes);
  return calls.lastChangeMs - startMs;
}

/** Both routes of a node are in one batch. */
function untilChanged(contender: RouteContender, before: number): Promise<RouteCalls> {
  return eventually(
    async () => {
      const calls = await contender.calls();
      if (calls.changes === before) throw new Error('the new node has no routes');
      return calls;
    },
    { withinMs: 30_000 },
  );
}

/** Several passes of the controller. */
const registrationMs = 3_000;
