/**
 * Runs the manager in a process: finds the API server and the cloud, opens the secure port, and works until a
 * signal stops it. It campaigns for the Lease only once the provider is loaded. The list of nodes waits for the first
 * read of the Lease, but not for a provider that takes long to load.
 */
import type { Missing, OneLook } from '@tandem/controllers/dry-run';
import {
  type Credentials,
  type CredentialsOrigin,
  type FoundCredentials,
  loadCredentials,
} from '@tandem/kube/credentials';
import { createTransport, tracedTransport, userAgent } from '@tandem/kube/transport';
import {
  type Clock,
  type Environment,
  type Ids,
  type Logger,
  type Metrics,
  type Random,
  untilAborted,
} from '@tandem/runtime';
import { createKubeClient } from '@tandem/kube/client';
import { openServing, ServingError } from '@tandem/serving';
import { App } from './app/index.ts';
import {
  type ControllerConnections,
  openControllerConnections,
} from './controller-account/index.ts';
import {
  ApiServerConnection,
  CredentialsRefusedError,
  EventLoopWatch,
  healthChecks,
} from './health/index.ts';
import { importProvider, openProvider } from './open-provider.ts';
import { checkCloudAccess, runSelfChecks } from './self-check/index.ts';
import { type ApiSettings, controllerAccounts, type ManagerSettings } from './settings/index.ts';
import { statusPages } from './status-pages.ts';
import { version } from './version.ts';

export interface ManagerPorts {
  readonly clock: Clock;
  readonly random: Random;
  readonly ids: Ids;
  readonly environment: Environment;
  readonly hostname: string;
  /** The version of Node.js, such as `v24.0.0`. */
  readonly runtimeVersion: string;
  /** Called once, when the manager starts. */
  readonly createMetrics: () => Metrics;
  readonly logger: Logger;
  /** Aborts when the program has to end. */
  readonly stop: AbortSignal;
}

export interface ManagerInput {
  readonly settings: ManagerSettings;
  /** The effective text of every flag. */
  readonly flags: ReadonlyMap<string, string>;
  /** Set with `--once`: follows the forecasts of the dry run, and ends it. */
  readonly look?: OneLook | undefined;
}

type ManagerEnd = 'stopped' | 'stuck';

/** Says why the manager could not start. The message is for the user who started it. */
export class StartError extends Error {
  constructor(cause: unknown) {
    super(cause instanceof Error ? cause.message : String(cause), { cause });
    this.name = 'StartError';
  }

  /** Whether the same start may succeed later without any correction. */
  get canPass(): boolean {
    return this.cause instanceof ServingError && this.cause.retry !== 'never';
  }
}

export async function runManager(ports: ManagerPorts, input: ManagerInput): Promise<ManagerEnd> {
  const metrics = ports.createMetrics();
  const finding = findCredentials({ ...ports, metrics }, input.settings);
  const credentials = await beginning(untilAborted(ports.stop, finding));
  const agent = userAgent({ program: 'cloud-controller-manager', version });
  const from = serverFrom(input.settings.api);
  const transport = createTransport({ credentials, userAgent: agent, serverFrom: from });
  const traced = tracedTransport(transport, ports);
  const connection = new ApiServerConnection(traced, ports.clock);
  const { server, origin } = credentials;
  const wired = {
    ...ports,
    metrics,
    userAgent: agent,
    connection,
    server,
    serverFrom: from,
    origin,
  };
  const controllers = controllerConnectionsOf(wired, credentials, input.settings);
  try {
    return await work({ ...wired, controllers }, input);
  } finally {
    await Promise.all([transport.close(), controllers?.close()]);
  }
}

/** Opens the connections for `--use-service-account-credentials`. A dry run does not use the accounts. */
function controllerConnectionsOf(
  ports: Omit<WiredPorts, 'controllers'>,
  credentials: Credentials,
  settings: ManagerSettings,
): ControllerConnections | undefined {
  const accounts = controllerAccounts(settings);
  if (accounts === undefined) return undefined;
  const client = createKubeClient({ ...ports, transport: ports.connection.transport });
  return openControllerConnections({ ...ports, accounts, credentials, client });
}

type WiredPorts = ManagerPorts & {
  readonly metrics: Metrics;
  readonly userAgent: string;
  readonly connection: ApiServerConnection;
  readonly server: string;
  /** Where the address of the server was found. */
  readonly serverFrom: string;
  readonly origin: CredentialsOrigin;
  /** Undefined if the controllers use the manager's own identity. */
  readonly controllers: ControllerConnections | undefined;
};

async function work(ports: WiredPorts, input: ManagerInput): Promise<ManagerEnd> {
  const { clock, logger, metrics, stop, connection, controllers } = ports;
  const transports = {
    transport: connection.transport,
    accountTransports: controllers?.transports,
  };
  const app = new App({ ...ports, ...transports }, input.settings);
  const eventLoop = new EventLoopWatch(clock, metrics);
  const needs = controllers === undefined ? [] : [controllers.check];
  const checks = healthChecks({
    status: () => app.status(),
    apiServer: connection,
    eventLoop,
    needs,
  });
  const pages = statusPages({ ...ports, ...input, checks, app });
  const serving = await beginning(openServing(ports, input.settings.serving, pages));
  const ended = new AbortController();
  const untilEnd = AbortSignal.any([stop, ended.signal]);
  // If either of these fails, nothing else can continue.
  const broken = new AbortController();
  const following = app.follow(untilEnd).catch((err: unknown) => broken.abort(err));
  const watching = watchConnection(ports, untilEnd).catch((err: unknown) => broken.abort(err));
  const beside = [
    watching,
    eventLoop.watch(untilEnd),
    checkSelf(ports, {
      settings: input.settings,
      identity: app.identity,
      reviewers: serving.reviewers,
      signal: untilEnd,
    }),
  ];
  const lookedAt = { forecasts: () => app.forecasts(), missing: () => missingIn(app, ports) };
  if (input.look !== undefined) beside.push(input.look.follow(lookedAt, untilEnd));
  try {
    const provider = await beginning(
      openProvider({ ...ports, cloud: input.settings.cloud, importer: importProvider }),
    );
    if (stop.aborted) return 'stopped';
    logger.info({ provider: provider.name, server: ports.server }, 'Loaded the cloud provider');
    beside.push(
      checkCloudAccess({
        ...ports,
        provider,
        countRoutedNodes: app.countRoutedNodes,
        signal: untilEnd,
      }),
    );
    const end = await app.run(provider, AbortSignal.any([stop, broken.signal]));
    if (broken.signal.aborted) throw broken.signal.reason;
    return end;
  } finally {
    ended.abort();
    await Promise.all([following, ...beside, serving.stop()]);
  }
}

/** Returns what the controllers wait for. If it is the provider, no reason is known. */
function missingIn(app: App, { connection, origin }: WiredPorts): Missing {
  const { nodes } = app.status();
  if (nodes.isSynced) return { what: 'the cloud provider', reason: undefined };
  // A server that answers may still refuse the list, for example because a permission is missing.
  const problem = connection.problem ?? nodes.problem;
  const reason = problem === undefined ? undefined : `${problem}; the manager uses ${origin.name}`;
  return { what: 'the list of nodes', reason };
}

/** Rejects once the API server has refused our credentials for too long. */
async function watchConnection(ports: WiredPorts, signal: AbortSignal): Promise<void> {
  if ((await ports.connection.watch(signal)) === 'refused')
    throw new CredentialsRefusedError(ports);
}

/** Starts the self-checks. Reviews are creates, so their client has neither a gate nor a rate limit. */
function checkSelf(
  ports: WiredPorts,
  about: Pick<
    Parameters<typeof runSelfChecks>[0],
    'settings' | 'identity' | 'reviewers' | 'signal'
  >,
): Promise<void> {
  const client = createKubeClient({ ...ports, transport: ports.connection.transport });
  const accountClients = new Map(
    [...(ports.controllers?.transports ?? [])].map(([account, transport]) => [
      account,
      createKubeClient({ ...ports, transport }),
    ]),
  );
  return runSelfChecks({ ...ports, ...about, client, accountClients });
}

async function beginning<T>(promise: Promise<T>): Promise<T> {
  try {
    return await promise;
  } catch (err) {
    throw new StartError(err);
  }
}

/** Finds the credentials as upstream does: in the kubeconfig of the flags, or those of the pod's service account. */
function findCredentials(
  ports: Pick<WiredPorts, 'environment' | 'clock' | 'logger' | 'metrics'>,
  { api }: ManagerSettings,
): Promise<FoundCredentials> {
  const { kubeconfig, master: server } = api;
  return loadCredentials({ ...ports, kubeconfig, server, search: 'pod', telemetry: ports });
}

/** Returns the source of the API server's address, for error messages. */
function serverFrom({ master, kubeconfig }: ApiSettings): string {
  const places = [
    ...(master === undefined ? [] : ['--master']),
    ...(kubeconfig === undefined ? [] : [`the kubeconfig ${kubeconfig}`]),
  ];
  return places.length === 0 ? 'the environment of this pod' : places.join(' and ');
}
