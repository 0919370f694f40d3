/**
 * The manager without its process: connects the cache of nodes, the election and the controllers. The program, tests
 * and the simulation all run this code. It writes only while it leads, and never in a dry run.
 */
import type { Forecast } from '@tandem/controllers/dry-run';
import { countStates } from '@tandem/controllers/node';
import { type LabelSelector, matchesSelector } from '@tandem/core/node-address';
import type { View, ViewName } from '@tandem/core/view';
import { createKubeClient, type KubeClient } from '@tandem/kube/client';
import {
  electionIdentity,
  type ElectionStatus,
  Elector,
  lastWriteMs,
  type Leadership,
  type ReleaseState,
} from '@tandem/kube/election';
import { catchUp, Informer, type InformerFacts } from '@tandem/kube/informer';
import { createNodeReader, type NodeProjection } from '@tandem/kube/node';
import type { KubeTransport } from '@tandem/kube/transport';
import { InstanceLookup } from '@tandem/provider/lookup';
import type { Provider } from '@tandem/provider/plug';
import { RouteTables } from '@tandem/provider/routes';
import {
  type Clock,
  type Ids,
  type Logger,
  type Metrics,
  type Random,
  withDeadline,
} from '@tandem/runtime';
import type { StatusSection } from '@tandem/serving';
import type { ManagerSettings } from '../settings/index.ts';
import { createWritingClients, refuseInDryRun, type WritingClients } from './clients.ts';
import { Controllers } from './controllers.ts';

export interface AppPorts {
  readonly clock: Clock;
  readonly random: Random;
  readonly ids: Ids;
  readonly logger: Logger;
  readonly metrics: Metrics;
  readonly transport: KubeTransport;
  /** By service account: the connections of controllers that have their own identities. */
  readonly accountTransports?: ReadonlyMap<string, KubeTransport> | undefined;
  /** The address of the API server, for errors and metrics. */
  readonly server: string;
  /** The name of this machine or pod, which is the readable part of the identity in the Lease. */
  readonly hostname: string;
}

/** The state that health checks use. */
export interface AppStatus {
  readonly nodes: InformerFacts;
  /** Undefined without an election. */
  readonly election: ElectionStatus | undefined;
  readonly isWorking: boolean;
}

export class App {
  readonly #ports: AppPorts;
  readonly #settings: ManagerSettings;
  readonly #identity: string;
  readonly #elector: Elector | undefined;
  readonly #clients: WritingClients;
  readonly #reader: KubeClient;
  readonly #nodes: Informer<NodeProjection>;
  /** Set while the controllers run. */
  #controllers: Controllers | undefined;
  /** Resolves after the election read the Lease for the first time, whether or not it won. */
  readonly #looked = Promise.withResolvers<void>();
  /** Whether the controllers ended with a write whose outcome is unknown. */
  #hasWriteInDoubt = false;

  constructor(ports: AppPorts, settings: ManagerSettings) {
    this.#ports = ports;
    this.#settings = settings;
    this.#identity = electionIdentity(ports);
    this.#elector = hasElection(settings) ? this.#createElector() : undefined;
    this.#clients = createWritingClients(ports, settings, this.#elector);
    this.#reader = createKubeClient(ports);
    this.#nodes = createNodeCache(ports, settings, this.#reader);
  }

  /**
   * Keeps the cache of nodes up to date until the signal aborts. It begins at start, so that a standby has a complete
   * cache. It waits for the first read of the Lease, because a list that began after the Lease was won need not be
   * read again. It does not wait for a provider that takes long to load.
   */
  async follow(signal: AbortSignal): Promise<void> {
    if (this.#elector !== undefined) {
      const limit = { clock: this.#ports.clock, limitMs: firstLookMsMax, signal };
      await withDeadline(limit, () => this.#looked.promise).catch(() => undefined);
    }
    return this.#nodes.run(signal);
  }

  /** The identity of this process in the Lease and in events. */
  get identity(): string {
    return this.#identity;
  }

  /**
   * Works with this cloud until the signal aborts. After a lost Lease it campaigns again, as a standby with a complete
   * cache. `stuck` means that the controllers did not end after a lost Lease, so they must not be started again.
   */
  async run(provider: Provider, signal: AbortSignal): Promise<'stopped' | 'stuck'> {
    const lookup = new InstanceLookup({ ...this.#ports, provider });
    const { routes } = provider;
    const routeTables = routes && new RouteTables({ ...this.#ports, provider, routes });
    const cloud = { lookup, routeTables };
    // Subscribed here, because nodes are also deleted while no controller runs: on a standby, and between two terms.
    const unsubscribe = this.#nodes.subscribe((change) => {
      if (change.kind === 'deleted') lookup.forget(change.object);
    });
    try {
      if (this.#elector !== undefined) return await this.#lead(this.#elector, cloud, signal);
      await this.#work(cloud, signal, this.#leadershipWithoutLease());
      return 'stopped';
    } finally {
      unsubscribe();
      lookup.close();
      await this.#close(provider);
    }
  }

  status(): AppStatus {
    return {
      nodes: this.#nodes.facts,
      election: this.#elector?.status(),
      isWorking: this.#controllers !== undefined,
    };
  }

  /**
   * Counts the nodes in each state. Only the leader knows which ones are refused. Undefined until the list of nodes has
   * been read.
   */
  nodeStates(): ReadonlyMap<string, number> | undefined {
    if (!this.#nodes.facts.isSynced) return undefined;
    return this.#controllers?.nodeStates() ?? countStates(this.#nodes.list());
  }

  /**
   * Counts the nodes that need routes, and returns undefined until the list of nodes has been read. The function itself
   * is undefined if no node needs routes.
   */
  get countRoutedNodes(): (() => number | undefined) | undefined {
    const { controllers } = this.#settings;
    const [scope] = controllers.flatMap(({ routeScope }) => routeScope ?? []);
    if (scope === undefined || controllers.some(({ allocates }) => allocates === 'cloud')) {
      return undefined;
    }
    return () =>
      this.#nodes.facts.isSynced ? countMatching(this.#nodes.list(), scope.selector) : undefined;
  }

  /** The sections of `/statusz` about the controllers; none on a standby. */
  controllerStatus(): readonly StatusSection[] {
    return this.#controllers?.status() ?? [];
  }

  /** What the controllers show as data; `standby` while they do not run here. */
  view(name: ViewName): View<ViewName> | 'absent' | 'pending' | 'standby' {
    return this.#controllers?.view(name) ?? 'standby';
  }

  /** The number of entries that the controllers keep about nodes. There are none for deleted nodes (M6). */
  get remembered(): number {
    return this.#controllers?.remembered ?? 0;
  }

  /** Who leads, in words. */
  leaderText(): string {
    if (this.#elector === undefined) return 'none, leader election is off';
    const { leader = '' } = this.#elector.status();
    if (leader === '') return 'none seen yet';
    return leader === this.#identity ? `${leader} (this manager)` : leader;
  }

  /** The forecasts of a dry run so far; undefined while the controllers do not run. */
  forecasts(): readonly Forecast[] | undefined {
    return this.#controllers?.forecasts();
  }

  async #lead(
    elector: Elector,
    cloud: CloudParts,
    signal: AbortSignal,
  ): Promise<'stopped' | 'stuck'> {
    const { clock, logger } = this.#ports;
    for (;;) {
      let working: Promise<void> = Promise.resolve();
      const end = await elector.run(signal, {
        onStartedLeading: (leading, leadership) => {
          this.#looked.resolve();
          return (working = this.#work(cloud, leading, leadership));
        },
        onNotWon: () => this.#looked.resolve(),
        mayRelease: (state) => this.#mayRelease(state),
        onNewLeader: (leader) => this.#sayLeader(leader),
      });
      if (end === 'stopped') return 'stopped';
      logger.warn({}, 'Lost the Lease and stopped writing; campaigning again');
      const hasEnded = working.then(
        () => true,
        () => true,
      );
      const limit = { clock, limitMs: restMsMax };
      if (!(await withDeadline(limit, () => hasEnded).catch(() => false))) return 'stuck';
    }
  }

  /** Without a Lease, another manager may have run until just now. A dry run has nothing to wait for. */
  #leadershipWithoutLease(): Leadership {
    const { dryRun, election } = this.#settings;
    const sinceMs = this.#ports.clock.monotonic();
    if (dryRun) return { predecessor: 'none', lastWriteMs: 0, sinceMs };
    return { predecessor: 'expired', lastWriteMs: lastWriteMs(election.timings), sinceMs };
  }

  async #work(cloud: CloudParts, signal: AbortSignal, leadership: Leadership): Promise<void> {
    if (!(await this.#knowsNodes(signal, leadership))) return;
    this.#controllers = new Controllers({
      ports: this.#ports,
      settings: this.#settings,
      identity: this.#identity,
      clients: this.#clients,
      leaseClient: this.#reader,
      nodes: this.#nodes,
      ...cloud,
      leadership,
      beforeCloudWrite: () => this.#assertMayWrite(),
    });
    try {
      await this.#controllers.run(signal);
    } finally {
      this.#hasWriteInDoubt = this.#controllers.hasWriteInDoubt;
      this.#controllers = undefined;
    }
  }

  /**
   * Waits until the cache has everything that was stored before this term, and returns whether it does. The cache of a
   * standby may lag behind the last writes of the previous leader. With such a cache, the manager could initialise two
   * Nodes of one instance (P2), or delete a route of a node that the cache lacks. Without a predecessor, the cache lacks
   * nothing.
   */
  async #knowsNodes(signal: AbortSignal, { predecessor, sinceMs }: Leadership): Promise<boolean> {
    const { logger } = this.#ports;
    if (!this.#nodes.facts.isSynced) logger.info({}, 'Waiting for the list of nodes');
    const hasSynced = await this.#nodes.whenSynced(signal).then(
      () => true,
      () => false,
    );
    if (!hasSynced || predecessor === 'none') return hasSynced;
    if (this.#nodes.showsAllBefore(sinceMs)) return true;
    const random = this.#ports.random.fork('catch-up');
    return catchUp(this.#nodes, { ...this.#ports, random }, signal);
  }

  /**
   * Returns whether the Lease may be released. A successor that allocates pod CIDRs begins at once after a release, so
   * there must be no pending write whose outcome it needs, neither ours nor that of the previous leader.
   */
  #mayRelease({ isPredecessorSettled }: ReleaseState): boolean {
    const allocates = this.#settings.controllers.some((one) => one.allocates !== undefined);
    if (allocates && !isPredecessorSettled) return false;
    return !(this.#controllers?.hasWriteInDoubt ?? this.#hasWriteInDoubt);
  }

  /** Fences calls to the cloud, because the gate of the API client does not. */
  #assertMayWrite(): void {
    const refusal = this.#settings.dryRun ? refuseInDryRun() : this.#elector?.writeGate();
    if (refusal !== undefined) throw refusal;
  }

  /** Closes the provider. If that fails or hangs, the manager logs it and stops anyway. */
  async #close(provider: Provider): Promise<void> {
    const { clock, logger } = this.#ports;
    const limit = { clock, limitMs: closeMsMax };
    try {
      await withDeadline(limit, async () => provider.close?.());
    } catch (err) {
      logger.warn({ err, provider: provider.name }, 'Cloud provider did not close cleanly');
    }
  }

  #createElector(): Elector {
    const { timings, lease } = this.#settings.election;
    const client = createKubeClient(this.#ports);
    return new Elector({ ...this.#ports, client, identity: this.#identity, timings, lease });
  }

  #sayLeader(leader: string): void {
    if (leader === this.#identity) return;
    // Only waiting shows whether that manager is alive, because the election trusts no clock of another machine.
    this.#ports.logger.info(
      { leader },
      'Lease is not free; waiting as standby until it is released or no longer renewed',
    );
  }
}

/** The parts for the cloud, which live as long as the program. */
interface CloudParts {
  readonly lookup: InstanceLookup;
  readonly routeTables: RouteTables | undefined;
}

/** How long the controllers have to end. Every write has a limit of a few seconds, so work that takes longer hangs. */
const restMsMax = 60_000;

const closeMsMax = 5_000;

/** How long the cache waits for the first read of the Lease. A later start would delay the first node. */
const firstLookMsMax = 1_000;

/** A dry run takes no Lease, because it runs beside another manager. */
function hasElection({ election, dryRun }: ManagerSettings): boolean {
  return election.isEnabled && !dryRun;
}

function countMatching(
  nodes: Iterable<NodeProjection>,
  selector: LabelSelector | undefined,
): number {
  return [...nodes].filter(
    ({ labels }) => selector === undefined || matchesSelector(selector, labels),
  ).length;
}

/** The one cache of nodes, which all controllers share. */
function createNodeCache(
  ports: AppPorts,
  { api }: ManagerSettings,
  client: KubeClient,
): Informer<NodeProjection> {
  return new Informer({
    ...ports,
    client,
    resource: { group: '', version: 'v1', resource: 'nodes' },
    reader: createNodeReader(),
    encoding: api.encoding,
  });
}
