/** The shipped client with its real transport, for tests and benches. */
import { createKubeClient, type KubeClient } from '@tandem/kube/client';
import { loadCredentials } from '@tandem/kube/credentials';
import { createTransport, type KubeTransport } from '@tandem/kube/transport';
import { createMetrics, systemClock, systemRandom } from '@tandem/runtime';

export interface ConnectedClient extends AsyncDisposable {
  readonly client: KubeClient;
}

export async function connectClient(
  kubeconfig: string,
  options: {
    readonly userAgent?: string;
    readonly concurrency?: number;
    readonly decorate?: (transport: KubeTransport) => KubeTransport;
  } = {},
): Promise<ConnectedClient> {
  const { userAgent = 'tandem-tests', concurrency, decorate = (transport) => transport } = options;
  const credentials = await loadCredentials({ kubeconfig, environment: {}, clock: systemClock });
  const transport = createTransport({ credentials, userAgent });
  const client = createKubeClient({
    transport: decorate(transport),
    clock: systemClock,
    random: systemRandom,
    metrics: createMetrics(),
    server: credentials.server,
    ...(concurrency !== undefined && { concurrency }),
  });
  return { client, [Symbol.asyncDispose]: () => transport.close() };
}
