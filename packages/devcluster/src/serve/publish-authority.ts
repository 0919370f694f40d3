/**
 * Tells programs that serve beside the API server whom to trust: the authority of clients is published
 * where a kube-apiserver does it, for those to read who may.
 */
import { admin } from '../access/index.ts';
import type { EmbeddedCluster } from '../model/index.ts';

/** When a cluster is served again, the new authority replaces the old one. */
export function publishAuthority(cluster: EmbeddedCluster, ca: string): void {
  const created = ask(cluster, { method: 'POST', path: configMaps, ca });
  if (created === 409) ask(cluster, { method: 'PATCH', path: `${configMaps}/${name}`, ca });
}

const configMaps = '/api/v1/namespaces/kube-system/configmaps';
const name = 'extension-apiserver-authentication';

function ask(
  cluster: EmbeddedCluster,
  asked: { readonly method: 'POST' | 'PATCH'; readonly path: string; readonly ca: string },
): number {
  const { method, path, ca } = asked;
  const contentType = method === 'POST' ? 'application/json' : 'application/merge-patch+json';
  return cluster.answer({
    method,
    path,
    headers: { 'content-type': contentType },
    body: JSON.stringify({ metadata: { name }, data: { 'client-ca-file': ca } }),
    user: admin,
    signal: new AbortController().signal,
    hasStreamingList: true,
  }).status;
}
