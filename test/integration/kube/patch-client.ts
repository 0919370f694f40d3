/** The shipped client on its real transport, for tests of what is built on it. */
import { createKubeClient, type KubeClient } from '@tandem/kube/client';
import { loadCredentials } from '@tandem/kube/credentials';
import { createTransport, type KubeTransport } from '@tandem/kube/transport';
import { createMetrics, systemClock, systemRandom } from '@tandem/runtime';

export interface ConnectedClient extends AsyncDisposable {
  readonly client: KubeClient;
}

export async function connect(
  kubeconfig: string,
  decorate: (transport: KubeTransport) => KubeTransport = (transport) => transport,
): Promise<ConnectedClient> {
  const credentials = await loadCredentials({ kubeconfig, environment: {}, clock: systemClock });
  const transport = createTransport({ credentials, userAgent: 'tandem-tests' });
  const client = createKubeClient({
    transport: decorate(transport),
    clock: systemClock,
    random: systemRandom,
    metrics: createMetrics(),
    server: credentials.server,
  });
  return { client, [Symbol.asyncDispose]: () => transport.close() };
}
