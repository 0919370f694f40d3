/**
 * The manager as a process runs it: finds the API server and the cloud, says what it was told and what
 * it will not do, and works until it is told to stop. The list of nodes and the provider are fetched
 * side by side; the Lease is only campaigned for when both the cloud and the cluster can be asked.
 */
import { type Credentials, loadCredentials } from '@tandem/kube/credentials';
import { createTransport, type KubeTransport, userAgent } from '@tandem/kube/transport';
import { loadProvider } from '@tandem/provider/module';
import type { Provider } from '@tandem/provider/plug';
import {
  type Clock,
  createMetrics,
  type Environment,
  type Ids,
  type Logger,
  type Metrics,
  type Random,
} from '@tandem/runtime';
import { App } from './app/index.ts';
import { importProvider } from './import-provider.ts';
import type { ManagerSettings } from './settings/index.ts';
import { version } from './version.ts';

export interface ManagerPorts {
  readonly clock: Clock;
  readonly random: Random;
  readonly ids: Ids;
  readonly environment: Environment;
  readonly hostname: string;
  readonly logger: Logger;
  /** Aborts when the program is to end. */
  readonly stop: AbortSignal;
}

export type ManagerEnd = 'stopped' | 'lost';

/** What kept it from beginning. The message is for whoever started it. */
export class StartError extends Error {
  constructor(cause: unknown) {
    super(cause instanceof Error ? cause.message : String(cause), { cause });
    this.name = 'StartError';
  }
}

export async function runManager(
  ports: ManagerPorts,
  settings: ManagerSettings,
): Promise<ManagerEnd> {
  const metrics = createMetrics();
  const credentials = await beginning(findCredentials(ports, settings));
  const transport = createTransport({
    credentials,
    userAgent: userAgent({ program: 'cloud-controller-manager', version }),
  });
  try {
    const wired = { ...ports, metrics, transport, server: credentials.server };
    return await work(wired, settings);
  } finally {
    await transport.close();
  }
}

async function work(
  ports: ManagerPorts & {
    readonly metrics: Metrics;
    readonly transport: KubeTransport;
    readonly server: string;
  },
  settings: ManagerSettings,
): Promise<ManagerEnd> {
  const { logger, stop } = ports;
  const ended = new AbortController();
  const app = new App(ports, settings);
  // Rejects only when the program itself is wrong, and then nothing else may go on.
  const following = app.follow(AbortSignal.any([stop, ended.signal]));
  const broken = new AbortController();
  following.catch((err: unknown) => broken.abort(err));
  try {
    const provider = await beginning(openProvider(ports, settings));
    logger.info({ provider: provider.name, server: ports.server }, 'Loaded the cloud provider');
    const end = await app.run(provider, AbortSignal.any([stop, broken.signal]));
    if (broken.signal.aborted) throw broken.signal.reason;
    return end;
  } finally {
    ended.abort();
    await following.catch(() => undefined);
  }
}

async function beginning<T>(promise: Promise<T>): Promise<T> {
  try {
    return await promise;
  } catch (err) {
    throw new StartError(err);
  }
}

/**
 * As upstream: what the flags name, or the service account of a pod. The kubeconfig of whoever happens
 * to start it is never picked up by itself: this is a program that writes.
 */
function findCredentials(
  { environment, clock }: ManagerPorts,
  { api }: ManagerSettings,
): Promise<Credentials> {
  const { kubeconfig, master: server } = api;
  return loadCredentials({ kubeconfig, server, environment, clock });
}

function openProvider(
  ports: ManagerPorts & { readonly metrics: Metrics },
  { cloud }: ManagerSettings,
): Promise<Provider> {
  const { clock, random, metrics } = ports;
  const logger = ports.logger.child({ provider: cloud.provider });
  const context = { configPath: cloud.configPath, clock, random, logger, metrics };
  return loadProvider(cloud.provider, { importer: importProvider, context });
}
