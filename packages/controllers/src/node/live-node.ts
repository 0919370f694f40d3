/** Reads one node from the API server itself, for when the cache cannot be relied on. */
import { ApiError, type KubeClient } from '@tandem/kube/client';
import { type NodeProjection, type ObjectReader } from '@tandem/kube/codec';

/** Nothing where there is no such node, or only a namesake of the one that is meant. */
export async function readLiveNode(
  {
    client,
    reader,
  }: { readonly client: KubeClient; readonly reader: ObjectReader<NodeProjection> },
  { name, uid }: { readonly name: string; readonly uid: string },
): Promise<NodeProjection | undefined> {
  const resource = { group: '', version: 'v1', resource: 'nodes', name };
  try {
    const { body } = await client.call({ verb: 'get', resource, limitMs: readLimitMs });
    const node = reader.fromJson(JSON.parse(new TextDecoder().decode(body)));
    return node.uid === uid ? node : undefined;
  } catch (err) {
    if (err instanceof ApiError && err.status.code === 404) return undefined;
    throw err;
  }
}

/** A worker waits for it. */
export const readLimitMs = 10_000;
