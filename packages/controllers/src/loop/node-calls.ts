/** How controllers call the API server about one node: with a limit, past the cache, and until they stop. */
import { hasStatus, type KubeClient } from '@tandem/kube/client';
import { parseJson } from '@tandem/kube/codec';
import { createNodeReader, type NodeProjection, nodeResource } from '@tandem/kube/node';

/** The limit of one call. A worker or a pass waits for it. */
export const callLimitMs = 10_000;

/** Reads the node past every cache; undefined if there is none. Rejects as the client does. */
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

/**
 * A client that starts no call after the signal aborts, and lets current calls finish: aborting a write
 * would leave its outcome unknown.
 */
export function gentleClient(client: KubeClient, signal: AbortSignal): KubeClient {
  return {
    call: (call) => (signal.aborted ? Promise.reject(signal.reason) : client.call(call)),
    open: (call) => (signal.aborted ? Promise.reject(signal.reason) : client.open(call)),
  };
}
