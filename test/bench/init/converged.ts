/**
 * The converged cluster: how soon a changed request shows in the status, and what is written and used
 * while nothing happens but heartbeats. The manager runs with a provider that counts, so that the calls
 * of its initialisation are known from here as well.
 */
import { isDeepStrictEqual } from 'node:util';
import type { KubeClient } from '@tandem/kube/client';
import { jsonPointer, valueAt } from '@tandem/kube/patch';
import { watch } from '../../control-plane/index.ts';
import { type Cluster, nodes } from '../contest/cluster.ts';
import { otherRequest, providedNodeIP, wantedAddresses } from '../contest/fleet.ts';
import { measureQuiet, type Quiet } from '../contest/quiet.ts';
import { withContender } from '../contest/run.ts';
import { nodeName } from '../informer/node-objects.ts';
import type { CountedContender } from './contenders.ts';
import { measureStartedRun } from './run.ts';
import type { InitSettings } from './settings.ts';

export interface ConvergedFigures extends Quiet {
  readonly initCloudCalls: number;
  /** From the watch event with a changed annotation to that with the new addresses, of each node. */
  readonly annotationMs: readonly number[];
  readonly quietCloudCalls: number;
}

export function measureConverged(
  cluster: Cluster,
  contender: CountedContender,
  settings: InitSettings,
): Promise<ConvergedFigures> {
  return withContender(cluster, contender, async (running) => {
    await measureStartedRun(cluster, running, settings.nodes);
    const initCloudCalls = await contender.cloudCalls();
    const annotationMs = await measureAnnotations(cluster, Math.min(changesMax, settings.nodes));
    await cluster.untilQuiet(running.pid);
    const callsBefore = await contender.cloudCalls();
    const quiet = await measureQuiet(cluster, running.pid, settings);
    const quietCloudCalls = (await contender.cloudCalls()) - callsBefore;
    return { initCloudCalls, annotationMs, ...quiet, quietCloudCalls };
  });
}

/** The client sends sixteen at a time, so that the last come while the manager is busy with the first. */
async function measureAnnotations(cluster: Cluster, count: number): Promise<number[]> {
  cluster.ports.say(`  other annotations on ${count} nodes`);
  const client = await cluster.client();
  const { metadata } = await cluster.get<{ metadata: { resourceVersion: string } }>(nodes, {
    limit: '1',
  });
  const delays = watchChanges(cluster, count, metadata.resourceVersion);
  const numbers = Array.from({ length: count }, (_, number) => number);
  await Promise.all(numbers.map((number) => annotate(client, number)));
  return delays;
}

const changesMax = 100;

async function annotate(client: KubeClient, number: number): Promise<void> {
  await client.call({
    verb: 'patch',
    resource: { ...nodes, name: nodeName(number) },
    body: { metadata: { annotations: { [providedNodeIP]: otherRequest(number) } } },
    contentType: 'application/merge-patch+json',
  });
}

/** Of each of the first nodes, how long after its other request a watch shows the addresses for it. */
async function watchChanges(
  { controlPlane, ports }: Cluster,
  count: number,
  resourceVersion: string,
): Promise<number[]> {
  const askedMs = new Map<string, number>();
  const delaysMs = new Map<string, number>();
  const query = `watch=1&resourceVersion=${resourceVersion}&timeoutSeconds=${watchSeconds}`;
  for await (const { object } of watch(controlPlane.admin, `/api/v1/nodes?${query}`)) {
    const name = String(valueAt(object, '/metadata/name'));
    const number = Number(name.slice('node-'.length));
    const request = otherRequest(number);
    if (number >= count || valueAt(object, requestPath) !== request) continue;
    const nowMs = ports.clock.monotonic();
    const sinceMs = askedMs.get(name) ?? nowMs;
    askedMs.set(name, sinceMs);
    const addresses = valueAt(object, '/status/addresses');
    if (!isDeepStrictEqual(addresses, wantedAddresses(number, request))) continue;
    if (!delaysMs.has(name)) delaysMs.set(name, nowMs - sinceMs);
    if (delaysMs.size === count) return [...delaysMs.values()];
  }
  throw new Error(`${count - delaysMs.size} of ${count} nodes kept their addresses`);
}

const requestPath = jsonPointer('metadata', 'annotations', providedNodeIP);
const watchSeconds = 60;
