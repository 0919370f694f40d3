/**
 * The manager as a process runs it: finds the API server and the cloud, opens the secure port, and works
 * until it is told to stop. The list of nodes and the provider are fetched side by side; the Lease is
 * only campaigned for when both the cloud and the cluster can be asked.
 */
import { type Credentials, loadCredentials } from '@tandem/kube/credentials';
import { createInformerMetrics, type InformerMetrics } from '@tandem/kube/informer';
import { createTransport, userAgent } from '@tandem/kube/transport';
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
import { createKubeClient } from '@tandem/kube/client';
import { App } from './app/index.ts';
import { ApiServerLine, EventLoopWatch, healthChecks } from './health/index.ts';
import { importProvider } from './import-provider.ts';
import { openServing } from './open-serving.ts';
import { runSelfChecks, tellFirstLookup } from './self-check/index.ts';
import type { ManagerSettings } from './settings/index.ts';
import { statusPages } from './status-pages.ts';
import { version } from './version.ts';

export interface ManagerPorts {
  readonly clock: Clock;
  readonly random: Random;
  readonly ids: Ids;
  readonly environment: Environment;
  readonly hostname: string;
  /** Of what runs the program, such as `v24.0.0`. */
  readonly runtimeVersion: string;
  readonly logger: Logger;
  /** Aborts when the program is to end. */
  readonly stop: AbortSignal;
}

export interface ManagerInput {
  readonly settings: ManagerSettings;
  /** Every flag and the text that counts for it. */
  readonly flags: ReadonlyMap<string, string>;
}

export type ManagerEnd = 'stopped' | 'stuck';

/** What kept it from beginning. The message is for whoever started it. */
export class StartError extends Error {
  constructor(cause: unknown) {
    super(cause instanceof Error ? cause.message : String(cause), { cause });
    this.name = 'StartError';
  }
}

export async function runManager(ports: ManagerPorts, input: ManagerInput): Promise<ManagerEnd> {
  const credentials = await beginning(findCredentials(ports, input.settings));
  const agent = userAgent({ program: 'cloud-controller-manager', version });
  const transport = createTransport({ credentials, userAgent: agent });
  const metrics = createMetrics();
  const line = new ApiServerLine(transport, ports.clock);
  try {
    return await work(
      {
        ...ports,
        metrics,
        informerMetrics: createInformerMetrics(metrics),
        userAgent: agent,
        line,
        server: credentials.server,
      },
      input,
    );
  } finally {
    await transport.close();
  }
}

type WiredPorts = ManagerPorts & {
  readonly metrics: Metrics;
  readonly informerMetrics: InformerMetrics;
  readonly userAgent: string;
  readonly line: ApiServerLine;
  readonly server: string;
};

async function work(ports: WiredPorts, input: ManagerInput): Promise<ManagerEnd> {
  const { clock, logger, metrics, stop, line } = ports;
  const app = new App({ ...ports, transport: line.transport }, input.settings);
  const eventLoop = new EventLoopWatch(clock, metrics);
  const checks = healthChecks({ status: () => app.status(), apiServer: line, eventLoop });
  const pages = statusPages({ ...ports, ...input, checks });
  const serving = await beginning(openServing(ports, input.settings.serving, pages));
  const ended = new AbortController();
  const untilEnd = AbortSignal.any([stop, ended.signal]);
  // It ends by itself only when the program is wrong, and then nothing else may go on.
  const broken = new AbortController();
  const following = app.follow(untilEnd).catch((err: unknown) => broken.abort(err));
  const beside = [
    line.watch(untilEnd),
    eventLoop.watch(untilEnd),
    checkSelf(ports, { settings: input.settings, identity: app.identity, signal: untilEnd }),
  ];
  try {
    const provider = await beginning(openProvider(ports, input.settings));
    logger.info({ provider: provider.name, server: ports.server }, 'Loaded the cloud provider');
    const told = tellFirstLookup(provider, logger);
    const end = await app.run(told, AbortSignal.any([stop, broken.signal]));
    if (broken.signal.aborted) throw broken.signal.reason;
    return end;
  } finally {
    ended.abort();
    await Promise.all([following, ...beside, serving.stop()]);
  }
}

/** Reviews are creates, so the client has neither gate nor limit. */
function checkSelf(
  ports: WiredPorts,
  about: Pick<Parameters<typeof runSelfChecks>[0], 'settings' | 'identity' | 'signal'>,
): Promise<void> {
  const client = createKubeClient({ ...ports, transport: ports.line.transport });
  return runSelfChecks({ ...ports, ...about, client });
}

async function beginning<T>(promise: Promise<T>): Promise<T> {
  try {
    return await promise;
  } catch (err) {
    throw new StartError(err);
  }
}

/** As upstream: what the flags name, or the service account of a pod. */
function findCredentials(
  { environment, clock }: ManagerPorts,
  { api }: ManagerSettings,
): Promise<Credentials> {
  const { kubeconfig, master: server } = api;
  return loadCredentials({ kubeconfig, server, search: 'pod', environment, clock });
}

function openProvider(ports: WiredPorts, { cloud }: ManagerSettings): Promise<Provider> {
  const { clock, random, metrics } = ports;
  const logger = ports.logger.child({ provider: cloud.provider });
  const context = { configPath: cloud.configPath, clock, random, logger, metrics };
  return loadProvider(cloud.provider, { importer: importProvider, context });
}
