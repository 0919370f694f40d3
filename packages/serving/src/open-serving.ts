/**
 * Opens the secure port with its own connections to the API server for reviews: as the flags say, or as the pod's
 * service account. Without either, tokens are not checked. The kubeconfig of the controllers is never used for
 * reviews, because the right to review others is a separate decision.
 */
import { createKubeClient, type KubeClient } from '@tandem/kube/client';
import { loadCredentials } from '@tandem/kube/credentials';
import { createTransport, type KubeTransport } from '@tandem/kube/transport';
import {
  type Clock,
  type Environment,
  type Logger,
  type Metrics,
  type Random,
  untilAborted,
} from '@tandem/runtime';
import type { ReviewAccess } from './assemble.ts';
import { createServing, type Serving } from './create-serving.ts';
import type { Pages } from './pages.ts';
import type { ServingSettings } from './serving-settings.ts';

interface ServingPorts {
  readonly clock: Clock;
  readonly random: Random;
  readonly environment: Environment;
  readonly hostname: string;
  readonly logger: Logger;
  readonly metrics: Metrics;
  readonly userAgent: string;
  /** Aborts when the program has to end. An API server that hangs must not delay that. */
  readonly stop: AbortSignal;
}

/** The connections for reviews of clients. Undefined ones mean that there are no such reviews. */
export interface Reviewers {
  readonly authentication: KubeClient | undefined;
  readonly authorization: KubeClient | undefined;
}

interface OpenServing {
  readonly reviewers: Reviewers;
  stop(): Promise<void>;
}

/** Rejects, and leaves nothing open, if the settings cannot be served. */
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
    const askAs = (what: 'authentication' | 'authorization'): Promise<ReviewAccess | undefined> => {
      const { kubeconfig } = settings[what];
      return openReviews(ports, { kubeconfig, kubeconfigFlag: `--${what}-kubeconfig` }, transports);
    };
    const authentication = await askAs('authentication');
    const authorization = await askAs('authorization');
    const reviewers = {
      authentication: authentication?.client,
      authorization: authorization?.client,
    };
    const serving = createServing({
      ...ports,
      settings,
      pages,
      authentication,
      authorizationClient: reviewers.authorization,
    });
    await startUnlessStopped(serving, ports.stop);
    tellUnchecked(ports.logger, reviewers);
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

/** Logs that tokens are not checked, so that even a caller with a valid token is anonymous. */
function tellUnchecked(logger: Logger, reviewers: Reviewers): void {
  const checks = [
    { what: 'tokens', flag: '--authentication-kubeconfig', client: reviewers.authentication },
    { what: 'permissions', flag: '--authorization-kubeconfig', client: reviewers.authorization },
  ];
  const missing = checks.filter(({ client }) => client === undefined);
  if (missing.length === 0) return;
  const unchecked = missing.map(({ what }) => what).join(' and ');
  const flags = missing.map(({ flag }) => `${flag}=FILE`).join(' and ');
  const fix = `Pass ${flags}. The file of --kubeconfig works if its user has the ClusterRole system:auth-delegator`;
  logger.warn({ unchecked, fix }, 'Secure port has no API server to ask about callers');
}

const nothingOpen: OpenServing = {
  reviewers: { authentication: undefined, authorization: undefined },
  stop: () => Promise.resolve(),
};

async function openReviews(
  ports: ServingPorts,
  named: { readonly kubeconfig: string | undefined; readonly kubeconfigFlag: string },
  transports: KubeTransport[],
): Promise<ReviewAccess | undefined> {
  const { environment, userAgent } = ports;
  const isInPod = environment['KUBERNETES_SERVICE_HOST'] !== undefined;
  if (named.kubeconfig === undefined && !isInPod) return undefined;
  const credentials = await loadCredentials({
    ...ports,
    ...named,
    search: 'pod',
    telemetry: ports,
  });
  const serverFrom =
    named.kubeconfig === undefined
      ? 'the environment of this pod'
      : `the kubeconfig ${named.kubeconfig}`;
  const transport = createTransport({ credentials, userAgent, serverFrom });
  transports.push(transport);
  const { server, origin } = credentials;
  return { client: createKubeClient({ ...ports, transport, server }), origin };
}
