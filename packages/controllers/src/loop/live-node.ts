/**
 * A node as the API server has it now, past every cache: what every controller looks at before it
 * decides what a cache cannot be relied on for.
 */
import { hasStatus, type KubeClient } from '@tandem/kube/client';
import { parseJson } from '@tandem/kube/codec';
import { createNodeReader, type NodeProjection, nodeResource } from '@tandem/kube/node';

/** How long one call about a node may take: a worker, or a pass, waits for it. */
export const callLimitMs = 10_000;

/** Undefined where there is no such node. Rejects as the client does. */
export async function readLiveNode(
  client: KubeClient,
  name: string,
  signal?: AbortSignal,
): Promise<NodeProjection | undefined> {
  const until = signal === undefined ? {} : { signal };
  try {
    const resource = nodeResource(name);
    const answer = await client.call({ verb: 'get', resource, limitMs: callLimitMs, ...until });
    return createNodeReader().fromJson(parseJson(answer.body));
  } catch (err) {
    if (hasStatus(err, 404)) return undefined;
    throw err;
  }
}
