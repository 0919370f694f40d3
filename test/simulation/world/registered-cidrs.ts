/**
 * The way of kubelets whose nodes have pod CIDRs from the moment they register, as an operator or an installer may
 * give them.
 */
import type { KubeTransport } from '@tandem/kube/transport';

export function withRegisteredCIDRs(
  inner: KubeTransport,
  registered: ReadonlyMap<string, readonly string[]>,
): KubeTransport {
  return {
    send(request) {
      if (request.method !== 'POST' || !request.path.startsWith('/api/v1/nodes')) {
        return inner.send(request);
      }
      const node = JSON.parse(String(request.body));
      const podCIDRs = registered.get(node.metadata.name);
      if (podCIDRs === undefined) return inner.send(request);
      const spec = { ...node.spec, podCIDR: podCIDRs[0], podCIDRs };
      return inner.send({ ...request, body: JSON.stringify({ ...node, spec }) });
    },
    close: () => inner.close(),
  };
}
