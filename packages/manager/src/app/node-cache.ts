/** The one cache of nodes, which all controllers share. */
import type { KubeClient } from '@tandem/kube/client';
import { createNodeReader, type NodeProjection } from '@tandem/kube/node';
import { Informer } from '@tandem/kube/informer';
import type { ManagerSettings } from '../settings/index.ts';
import type { AppPorts } from './app.ts';

export function createNodeCache(
  ports: AppPorts,
  { api }: ManagerSettings,
  client: KubeClient,
): Informer<NodeProjection> {
  return new Informer({
    ...ports,
    client,
    metrics: ports.informerMetrics,
    resource: { group: '', version: 'v1', resource: 'nodes' },
    reader: createNodeReader(),
    encoding: api.encoding,
  });
}
