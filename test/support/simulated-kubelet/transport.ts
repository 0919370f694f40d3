/** The transport of simulated kubelets to an API server: the one that ships. */
import type { Identity } from '@tandem/kube/credentials';
import { createTransport, type KubeTransport } from '@tandem/kube/transport';
import type { Credentials } from '../../control-plane/index.ts';

/** The caller closes it. */
export function transportFor({ server, token, ...tls }: Credentials): KubeTransport {
  const identity: Identity = {
    tls: { ...tls, isVerified: true },
    headers: token === undefined ? {} : { authorization: `Bearer ${token}` },
  };
  const credentials = { server, identity: async () => identity, renew: async () => undefined };
  return createTransport({ credentials, userAgent: 'simulated-kubelet' });
}
