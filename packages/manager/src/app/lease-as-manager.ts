/**
 * The way to the API server of controllers that have an identity of their own: theirs for everything but
 * the Lease, which is the manager's. What the deletion brake notes on it passes the gate of the
 * controllers' client like any other write of theirs, and arrives as the manager.
 */
import type { KubeTransport } from '@tandem/kube/transport';

const leases = '/apis/coordination.k8s.io/';

export function leaseAsManager(lines: {
  readonly manager: KubeTransport;
  readonly controllers: KubeTransport;
}): KubeTransport {
  const { manager, controllers } = lines;
  return {
    send: (request) => (request.path.startsWith(leases) ? manager : controllers).send(request),
    close: () => controllers.close(),
  };
}
