/**
 * Opens the secure port. Reviews are asked of the API server as whom the flags say, or as the pod's
 * service account; where there is neither, tokens count for nothing. The kubeconfig of the controllers
 * is never used for it: whoever may be asked about others is a decision of its own.
 */
import { createKubeClient, type KubeClient } from '@tandem/kube/client';
import { loadCredentials } from '@tandem/kube/credentials';
import type { InformerMetrics } from '@tandem/kube/informer';
import { createTransport, type KubeTransport } from '@tandem/kube/transport';
import {
  type Clock,
  type Environment,
  type Logger,
  type Metrics,
  type Random,
  untilAborted,
} from '@tandem/runtime';
import type { Reviewers } from './self-check/index.ts';
import { createServing, type Pages, type Serving, type ServingSettings } from './serving/index.ts';

export interface ServingPorts {
  readonly clock: Clock;
  readonly random: Random;
  readonly environment: Environment;
  readonly hostname: string;
  readonly logger: Logger;
  readonly metrics: Metrics;
  readonly informerMetrics: InformerMetrics;
  readonly userAgent: string;
  /** Aborts when the program is to end, which an API server that hangs must not keep waiting. */
  readonly stop: AbortSignal;
}

export interface OpenServing {
  /** As whom it asks about visitors, where it does. */
  readonly reviewers: Reviewers;
  stop(): Promise<void>;
}

/** Rejects, with nothing left open, when what the settings ask for cannot be served. */
export async function openServing(
  ports: ServingPorts,
  settings: ServingSettings,
  pages: Pages,
): Promise<OpenServing> {
  if (settings.port === 0) return nothingOpen;
  const transports: KubeTransport[] = [];
  const stopTransports = async (): Promise<void> => {
    await Promise.all(transports.map((transport) => transport.close()));
  };
  try {
    const { authentication, authorization } = settings;
    const reviewers = {
      authentication: await reviewClient(ports, authentication.kubeconfig, transports),
      authorization: await reviewClient(ports, authorization.kubeconfig, transports),
    };
    const serving = createServing({
      ...ports,
      settings,
      pages,
      authenticationClient: reviewers.authentication,
      authorizationClient: reviewers.authorization,
    });
    await startUnlessStopped(serving, ports.stop);
    return {
      reviewers,
      async stop() {
        await serving.stop();
        await stopTransports();
      },
    };
  } catch (err) {
    await stopTransports();
    throw err;
  }
}

async function startUnlessStopped(serving: Serving, stop: AbortSignal): Promise<void> {
  const starting = serving.start();
  try {
    await untilAborted(stop, starting);
  } catch (err) {
    if (stop.aborted) await serving.stop();
    throw err;
  }
}

const nothingOpen: OpenServing = {
  reviewers: { authentication: undefined, authorization: undefined },
  stop: () => Promise.resolve(),
};

async function reviewClient(
  ports: ServingPorts,
  kubeconfig: string | undefined,
  transports: KubeTransport[],
): Promise<KubeClient | undefined> {
  const { environment, clock, userAgent } = ports;
  const isInPod = environment['KUBERNETES_SERVICE_HOST'] !== undefined;
  if (kubeconfig === undefined && !isInPod) return undefined;
  const credentials = await loadCredentials({ kubeconfig, search: 'pod', environment, clock });
  const transport = createTransport({ credentials, userAgent });
  transports.push(transport);
  return createKubeClient({ ...ports, transport, server: credentials.server });
}
