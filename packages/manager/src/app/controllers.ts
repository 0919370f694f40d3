/**
 * Runs the selected controllers side by side for one term of leadership. When the signal aborts, each controller
 * finishes its current work. Then the remaining events are sent, while writes are still allowed. If one controller
 * fails, all end: a manager that does half of its work would look healthy.
 */
import assert from 'node:assert/strict';
import type { Forecast } from '@tandem/controllers/dry-run';
import { ListedRoutes, type ManagedRoutes } from '@tandem/controllers/route';
import { describeLeftMarked } from '@tandem/core/routes';
import type { View, ViewName } from '@tandem/core/view';
import type { KubeClient } from '@tandem/kube/client';
import type { NodeProjection } from '@tandem/kube/node';
import { EventRecorder, type EventRecorderOptions } from '@tandem/kube/events';
import type { Leadership } from '@tandem/kube/election';
import type { Informer } from '@tandem/kube/informer';
import type { InstanceLookup } from '@tandem/provider/lookup';
import type { RouteTables } from '@tandem/provider/routes';
import type { Logger, MetricDeclaration } from '@tandem/runtime';
import type { StatusSection } from '@tandem/serving';
import { accountsOf } from '../access/index.ts';
import type { Controller } from '../controllers/index.ts';
import type { ManagerSettings } from '../settings/index.ts';
import type { AppPorts } from './app.ts';
import type { WritingClients } from './clients.ts';

/** Has upstream's name. */
export const runningManagedControllers: MetricDeclaration<'name' | 'manager'> = {
  name: 'running_managed_controllers',
  help: 'Indicates where instances of a controller are currently running',
  stability: 'BETA',
  labels: ['name', 'manager'],
};

interface ControllersOptions {
  readonly ports: AppPorts;
  readonly settings: ManagerSettings;
  /** The identity of this process in events. */
  readonly identity: string;
  readonly clients: WritingClients;
  /** The client of the manager itself, to which the Lease belongs. */
  readonly leaseClient: KubeClient;
  readonly nodes: Informer<NodeProjection>;
  readonly lookup: InstanceLookup;
  readonly leadership: Leadership;
  readonly routeTables: RouteTables | undefined;
  readonly beforeCloudWrite: () => void;
}

export class Controllers {
  readonly #recorders: ReadonlyMap<KubeClient, EventRecorder>;
  readonly #setRunning: (alias: string, isRunning: 0 | 1) => void;
  readonly #all: readonly NamedController[];

  constructor(options: ControllersOptions) {
    const { ports, settings, clients } = options;
    this.#recorders = createRecorders(options);
    const running = ports.metrics.gauge(runningManagedControllers);
    const manager = 'cloud-controller-manager';
    // Upstream reports its controllers under their aliases here.
    this.#setRunning = (name, isRunning) => running.set({ name, manager }, isRunning);
    const { nodes, lookup, leaseClient, leadership, routeTables, beforeCloudWrite } = options;
    const { addressRules, election } = settings;
    const mode = settings.dryRun ? 'dryRun' : 'write';
    const managedRoutes = managedRoutesOf(options);
    if (managedRoutes === undefined) warnLeftMarked(options);
    const ofCloud = { lookup, routeTables, managedRoutes, beforeCloudWrite } as const;
    const shared = { ...ports, ...ofCloud, nodes, leaseClient, leadership, addressRules } as const;
    this.#all = settings.controllers.flatMap((configured) => {
      const { name, alias, serviceAccount } = configured.facts;
      const client = clients(serviceAccount);
      const recorder = this.#recorders.get(client);
      assert(recorder !== undefined);
      const logger = ports.logger.child({ controller: name });
      const parts = { ...shared, client, logger, recorder, mode, lease: election.lease } as const;
      const controller = configured.create(parts);
      return controller === undefined ? [] : [{ alias, logger, controller }];
    });
  }

  /** The forecasts of a dry run; undefined until all controllers have begun. */
  forecasts(): readonly Forecast[] | undefined {
    const found = this.#all.map(({ controller }) =>
      controller.forecasts === undefined ? [] : controller.forecasts(),
    );
    return found.every((one) => one !== undefined) ? found.flat() : undefined;
  }

  /** The number of nodes in each state; undefined if no controller counts them. */
  nodeStates(): ReadonlyMap<string, number> | undefined {
    for (const { controller } of this.#all) {
      if (controller.states !== undefined) return controller.states();
    }
    return undefined;
  }

  /** The sections of `/statusz` about the controllers. */
  status(): readonly StatusSection[] {
    return this.#all.flatMap(({ controller }) => controller.status?.() ?? []);
  }

  /** The view that one of the controllers has; `absent` if none has it. */
  view(name: ViewName): View<ViewName> | 'absent' | 'pending' {
    const [show] = this.#all.flatMap(({ controller }) => controller.views?.[name] ?? []);
    return show === undefined ? 'absent' : (show() ?? 'pending');
  }

  /** The number of entries that are kept about nodes (M6). */
  get remembered(): number {
    return this.#all.reduce((sum, { controller }) => sum + controller.remembered, 0);
  }

  /** Whether a successor has to wait for the outcome of a write. */
  get hasWriteInDoubt(): boolean {
    return this.#all.some(({ controller }) => controller.hasWriteInDoubt === true);
  }

  async run(signal: AbortSignal): Promise<void> {
    const failed = new AbortController();
    const ending = AbortSignal.any([signal, failed.signal]);
    const runs = this.#all.map(async (one) => {
      try {
        await this.#runOne(one, ending);
      } catch (err) {
        failed.abort(err);
        throw err;
      }
    });
    const ends = await Promise.allSettled(runs);
    await Promise.all(Array.from(this.#recorders.values(), (recorder) => recorder.stop()));
    for (const end of ends) if (end.status === 'rejected') throw end.reason;
  }

  async #runOne(one: NamedController, signal: AbortSignal): Promise<void> {
    const { alias, logger, controller } = one;
    this.#setRunning(alias, 1);
    logger.info({}, 'Started controller');
    try {
      await controller.run(signal);
    } finally {
      this.#setRunning(alias, 0);
    }
    logger.info({}, 'Stopped controller');
  }
}

interface NamedController {
  readonly alias: string;
  readonly logger: Logger;
  readonly controller: Controller;
}

/** Returns which routes are managed; undefined if no running controller does so or the cloud has no tables. */
function managedRoutesOf({ settings, routeTables }: ControllersOptions): ManagedRoutes | undefined {
  const { controllers } = settings;
  const [scope] = controllers.flatMap(({ routeScope }) => routeScope ?? []);
  if (scope === undefined || routeTables === undefined) return undefined;
  const allocates = controllers.some((one) => one.allocates !== undefined);
  return { ...scope, families: routeTables.families, allocates, listed: new ListedRoutes() };
}

/** Without managed routes, nodes that an earlier manager marked stay marked. The log names them. */
function warnLeftMarked({ nodes, ports }: ControllersOptions): void {
  const marked = Array.from(nodes.list(), ({ name, networkUnavailable: condition }) => ({
    name,
    condition,
  }));
  const reason = describeLeftMarked(marked);
  if (reason !== undefined) ports.logger.warn({ reason }, 'Nodes are marked as without a network');
}

/** One recorder for each identity of the controllers. Several recorders need distinct queues and event names. */
function createRecorders(options: ControllersOptions): ReadonlyMap<KubeClient, EventRecorder> {
  const { ports, settings, clients, identity: reportingInstance } = options;
  const accounts = accountsOf(settings.controllers.map(({ facts }) => facts));
  const byClient = new Map(accounts.map((account) => [clients(account), account]));
  const own = (account: string): Partial<EventRecorderOptions> =>
    byClient.size === 1
      ? {}
      : { queueName: `events-${account}`, random: ports.random.fork(account) };
  return new Map(
    Array.from(byClient, ([client, account]) => [
      client,
      new EventRecorder({ ...ports, client, reportingInstance, ...own(account) }),
    ]),
  );
}
