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
  DeadlineExceededError,
  type Environment,
  type Ids,
  type Logger,
  type Metrics,
  type ProcessUsage,
  type Random,
  untilAborted,
  withDeadline,
} from '@tandem/runtime';
import { createKubeClient } from '@tandem/kube/client';
import { App } from './app/index.ts';
import { type ControllerLine, openControllerLine } from './controller-account/index.ts';
import { ApiServerLine, EventLoopWatch, healthChecks } from './health/index.ts';
import { importProvider } from './import-provider.ts';
import { leaseAsManager } from './lease-as-manager.ts';
import { openServing } from './open-serving.ts';
import { checkCloudAccess, runSelfChecks, tellFirstLookup } from './self-check/index.ts';
import { ServingError } from './serving/index.ts';
import type { ManagerSettings } from './settings/index.ts';
import { statusPages } from './status-pages.ts';
import { tracedTransport } from './traced-transport.ts';
import { version } from './version.ts';

export interface ManagerPorts {
  readonly clock: Clock;
  readonly random: Random;
  readonly ids: Ids;
  readonly environment: Environment;
  readonly hostname: string;
  /** Of what runs the program, such as `v24.0.0`. */
  readonly runtimeVersion: string;
  readonly processUsage: ProcessUsage;
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

  /** Whether the same start may do later, without anybody mending something. */
  get canPass(): boolean {
    return this.cause instanceof ServingError && this.cause.retry !== 'never';
  }
}

export async function runManager(ports: ManagerPorts, input: ManagerInput): Promise<ManagerEnd> {
  const finding = findCredentials(ports, input.settings);
  const credentials = await beginning(untilAborted(ports.stop, finding));
  const agent = userAgent({ program: 'cloud-controller-manager', version });
  const transport = createTransport({ credentials, userAgent: agent });
  const metrics = createMetrics();
  const traced = tracedTransport(transport, ports);
  const line = new ApiServerLine(traced, ports.clock);
  const { server } = credentials;
  const wired = { ...ports, metrics, userAgent: agent, line, server };
  const controllers = controllerLineOf(wired, credentials, input.settings);
  try {
    const informerMetrics = createInformerMetrics(metrics);
    return await work({ ...wired, informerMetrics, controllers }, input);
  } finally {
    await Promise.all([transport.close(), controllers?.transport.close()]);
  }
}

/** Where the flags give the controllers an identity of their own; a dry run has no use for one. */
function controllerLineOf(
  ports: Omit<WiredPorts, 'informerMetrics' | 'controllers'>,
  credentials: Credentials,
  { api, dryRun }: ManagerSettings,
): ControllerLine | undefined {
  const account = api.controllerAccount;
  if (account === undefined || dryRun) return undefined;
  const client = createKubeClient({ ...ports, transport: ports.line.transport });
  return openControllerLine({ ...ports, account, credentials, client });
}

type WiredPorts = ManagerPorts & {
  readonly metrics: Metrics;
  readonly informerMetrics: InformerMetrics;
  readonly userAgent: string;
  readonly line: ApiServerLine;
  readonly server: string;
  /** Undefined where the controllers have the manager's own identity. */
  readonly controllers: ControllerLine | undefined;
};

async function work(ports: WiredPorts, input: ManagerInput): Promise<ManagerEnd> {
  const { clock, logger, metrics, stop, line, controllers } = ports;
  const transports = {
    transport: line.transport,
    controllerTransport:
      controllers &&
      leaseAsManager({ manager: line.transport, controllers: controllers.transport }),
  };
  const app = new App({ ...ports, ...transports }, input.settings);
  const eventLoop = new EventLoopWatch(clock, metrics);
  const needs = controllers === undefined ? [] : [controllers.check];
  const checks = healthChecks({ status: () => app.status(), apiServer: line, eventLoop, needs });
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
    checkSelf(ports, {
      settings: input.settings,
      identity: app.identity,
      reviewers: serving.reviewers,
      signal: untilEnd,
    }),
  ];
  try {
    const provider = await beginning(openProvider(ports, input.settings));
    if (stop.aborted) return 'stopped';
    logger.info({ provider: provider.name, server: ports.server }, 'Loaded the cloud provider');
    beside.push(checkCloudAccess({ ...ports, provider, signal: untilEnd }));
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
  about: Pick<
    Parameters<typeof runSelfChecks>[0],
    'settings' | 'identity' | 'reviewers' | 'signal'
  >,
): Promise<void> {
  const client = createKubeClient({ ...ports, transport: ports.line.transport });
  const other = ports.controllers?.transport;
  const controllerClient = other && createKubeClient({ ...ports, transport: other });
  return runSelfChecks({ ...ports, ...about, client, controllerClient });
}

/** Longer than any cloud's credentials take, shorter than anybody waits without a word. */
const providerMsMax = 60_000;

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
  const limit = { clock, limitMs: providerMsMax, signal: ports.stop };
  const loading = (): Promise<Provider> =>
    loadProvider(cloud.provider, { importer: importProvider, context });
  return withDeadline(limit, loading).catch((err: unknown) => {
    if (!(err instanceof DeadlineExceededError)) throw err;
    const seconds = providerMsMax / 1_000;
    throw new Error(
      `The cloud provider ${cloud.provider} was not ready within ${seconds} s. Look at what it waits for when it starts: its credentials, its file, its cloud.`,
      { cause: err },
    );
  });
}
