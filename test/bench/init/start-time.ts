/**
 * How long the manager takes from its start to its first work, with a free Lease. There is one node, so
 * that the list takes no time; the inventory is that of the whole fleet. The time ends when a watch shows
 * the node initialised, and so has the Lease, the look-up and both writes in it.
 */
import type { KubeClient } from '@tandem/kube/client';
import { jsonPointer, valueAt } from '@tandem/kube/patch';
import { watch } from '../../control-plane/index.ts';
import { type Cluster, nodes } from '../contest/cluster.ts';
import type { Contender } from '../contest/contender.ts';
import { aRegisteredNode, initializedLabel } from '../contest/fleet.ts';
import { whileRunning } from '../contest/run.ts';
import { nodeName } from '../informer/node-objects.ts';

/** On a cluster without nodes, which it leaves without nodes; the Lease is given back at the end. */
export async function measureStart(cluster: Cluster, contender: Contender): Promise<number> {
  const { clock, say } = cluster.ports;
  say(`${contender.name}, from start to the first node`);
  const client = await cluster.client();
  const resourceVersion = await createNode(client);
  const startMs = clock.monotonic();
  try {
    return await whileRunning(cluster, contender, async () => {
      await untilInitialized(cluster, resourceVersion);
      return clock.monotonic() - startMs;
    });
  } finally {
    await client.call({ verb: 'delete', resource: { ...nodes, name: nodeName(0) } });
  }
}

async function createNode(client: KubeClient): Promise<string> {
  const { body } = await client.call({
    verb: 'create',
    resource: nodes,
    body: aRegisteredNode(0),
  });
  const node: { metadata: { resourceVersion: string } } = JSON.parse(Buffer.from(body).toString());
  return node.metadata.resourceVersion;
}

async function untilInitialized({ controlPlane }: Cluster, resourceVersion: string): Promise<void> {
  const query = `watch=1&resourceVersion=${resourceVersion}&timeoutSeconds=${watchSeconds}`;
  for await (const { object } of watch(controlPlane.admin, `/api/v1/nodes?${query}`)) {
    if (valueAt(object, labelPath) !== undefined) return;
  }
  throw new Error(`the node was not initialised within ${watchSeconds} s`);
}

const labelPath = jsonPointer('metadata', 'labels', initializedLabel);

const watchSeconds = 60;
