/**
 * The node-route-controller: creates the cloud's routes to the pod CIDRs of nodes, in both families, and tells each
 * node whether its network is available. It works in passes, because it has to see a route table as a whole. A pass
 * lists the tables, plans against all nodes, sends the changes as one batch, and writes the condition of the nodes for
 * which the list gives a definite answer. The controller judges routes by what the cloud lists, never by what it sent
 * (T5). An error removes nothing (P3), and a converged cluster gets no writes, neither in the cloud nor to nodes (P5).
 */
import {
  noRouteCreated,
  planRoutes,
  type PlannedOperation,
  type RouteAttempt,
  type RoutedNode,
  type RoutePlan,
  withAttempts,
} from '@tandem/core/routes';
import { isPausing, pausedAnnotation } from '@tandem/core/node-init';
import type { View } from '@tandem/core/view';
import type { NodeProjection } from '@tandem/kube/node';
import type { Listing, OperationResult } from '@tandem/provider/routes';
import { CcmError } from '@tandem/runtime';
import { type LoopController, NodeLoop, type Update } from '../loop/index.ts';
import type { Forecast } from '../dry-run/index.ts';
import { controllerName } from './events.ts';
import { forecastsOf, forecastWithoutList } from './forecast.ts';
import {
  type PassTrigger,
  type RouteControllerMetrics,
  routeControllerMetrics,
} from './metrics.ts';
import { NetworkConditions } from './network-conditions.ts';
import { Newcomers } from './newcomers.ts';
import { OperationBackoff } from './operation-backoff.ts';
import type { RouteControllerOptions } from './options.ts';
import { PassTimer } from './pass-timer.ts';
import { RouteReports } from './route-reports.ts';
import { RoutedNodes } from './routed-nodes.ts';
import {
  isOwnCondition,
  newState,
  type RouteNodeRecord,
  type RouteState,
  wasInitialised,
  withResult,
} from './route-state.ts';
import { type FoundNode, TableEvents } from './table-events.ts';
import { type RouteSection, routeSection, type SeenRoutes } from './status.ts';
import { routesView } from './view.ts';

type Listed = Extract<Listing, { kind: 'listed' }>;

/** The delay after a failed list, or a failed write of a condition. `RouteTables` adds its own delay if the cloud asks for one. */
const relistMs = 5_000;

export class RouteController implements LoopController<RouteState> {
  readonly name: string = controllerName;
  readonly metrics: RouteControllerMetrics;
  readonly #options: RouteControllerOptions;
  readonly #loop: NodeLoop<RouteState>;
  readonly #nodes: RoutedNodes;
  readonly #conditions: NetworkConditions;
  readonly #reports: RouteReports;
  readonly #tableEvents: TableEvents;
  readonly #backoff: OperationBackoff;
  readonly #newcomers: Newcomers;
  readonly #timer: PassTimer;
  /** Computed once, so that the same monotonic time always becomes the same wall-clock time. */
  readonly #wallOffsetMs: number;
  #seen: SeenRoutes | undefined;
  #forecasts: readonly Forecast[] = [forecastWithoutList(0)];
  /** The number of lists that failed in a row, and below, why the last one failed. */
  #failedLists = 0;
  #listFailure = '';

  constructor(options: RouteControllerOptions) {
    const logger = options.logger.child({ controller: controllerName });
    this.#options = { ...options, logger };
    this.metrics = routeControllerMetrics(options.metrics);
    this.#wallOffsetMs = options.clock.now() - options.clock.monotonic();
    this.#loop = new NodeLoop(options, this);
    this.#nodes = new RoutedNodes(options, this.#loop.records);
    this.#conditions = new NetworkConditions(this.#options, this.#loop);
    const { reports } = this.#loop;
    this.#reports = new RouteReports({ reports, logger, clock: options.clock });
    this.#tableEvents = new TableEvents({ reports, find: (uid) => this.#find(uid) });
    const random = options.random.fork('route-operations');
    this.#backoff = new OperationBackoff({ clock: options.clock, random });
    const { gatherMsMax } = options.tables;
    this.#newcomers = new Newcomers(options.clock, gatherMsMax);
    const { clock } = options;
    this.#timer = new PassTimer({ clock, gatherMsMax, newcomers: this.#newcomers });
  }

  get remembered(): number {
    return this.#loop.remembered;
  }

  /** Returns the section of `/statusz`. */
  status(): readonly [RouteSection] {
    const failure = { failedLists: this.#failedLists, why: this.#listFailure };
    return [routeSection(this.#seen, failure)];
  }

  /** The content of `/statusz/routes`. */
  readonly views = { routes: (): View<'routes'> => this.#view() } as const;

  /** Returns what the last pass of a dry run forecasts. */
  forecasts(): readonly Forecast[] {
    return this.#forecasts;
  }

  /** Runs until the signal aborts, and resolves when no call is in flight any more. A controller runs only once. */
  async run(signal: AbortSignal): Promise<void> {
    const random = this.#options.random.fork('route-passes');
    const { min, max } = this.#options.settings.periodMs;
    await this.#loop.run(signal, async () => {
      this.#timer.ask(0);
      while (!signal.aborted) {
        const periodMs = min + (max - min) * random.next();
        const trigger = await this.#timer.next(periodMs, signal).catch(() => undefined);
        if (trigger !== undefined) await this.#pass(trigger, signal);
      }
    });
  }

  newState(): RouteState {
    return newState();
  }

  added(_record: RouteNodeRecord, node: NodeProjection): void {
    if (mayWantRoutes(node)) this.#timer.changed();
    else this.#newcomers.appeared(node.uid);
  }

  changed({ state }: RouteNodeRecord, { before, after }: Update): undefined {
    if (!mayWantRoutes(after)) return;
    this.#newcomers.settled(after.uid);
    const isOfInterest =
      before.podCIDRs !== after.podCIDRs ||
      before.addresses !== after.addresses ||
      before.providerID !== after.providerID ||
      before.labels !== after.labels ||
      before.annotations !== after.annotations ||
      (before.networkUnavailable !== after.networkUnavailable && !isOwnCondition(state, after)) ||
      before.deletionTimestampSeconds !== after.deletionTimestampSeconds;
    if (isOfInterest) this.#timer.changed();
  }

  gone({ uid }: RouteNodeRecord): void {
    this.#newcomers.settled(uid);
    this.#timer.changed();
  }

  /** Runs one pass: read, plan, apply, report. */
  async #pass(trigger: PassTrigger, signal: AbortSignal): Promise<void> {
    const listing = await this.#options.tables.list(signal);
    if (listing.kind === 'unknown') {
      if (!signal.aborted) this.#reports.notListed(listing.err);
      this.#failedLists += 1;
      this.#listFailure = listing.err.message;
      if (this.#seen === undefined) {
        this.#forecasts = [forecastWithoutList(this.#failedLists, listing.err.message)];
      }
      this.metrics.passed('error', trigger);
      this.#reportWaiting();
      return this.#timer.ask(relistMs);
    }
    this.#failedLists = 0;
    this.#reports.listed();
    const nodes = await this.#nodes.read();
    const plan = this.#plan(listing, nodes);
    this.#seen = { tables: listing.tables, plan, asOfMs: listing.asOfMs };
    this.#tellListed(listing, plan);
    if (this.#options.mode === 'dryRun') {
      this.#forecasts = forecastsOf(plan, this.#conditions.planned(listing, plan));
    }
    const hasFailed = await this.#apply(plan, signal);
    await this.#writeConditions(listing, plan, signal);
    this.#report(plan);
    const outcome = hasFailed ? 'error' : plan.operations.length > 0 ? 'changed' : 'noop';
    this.metrics.passed(outcome, trigger);
  }

  /**
   * Reports on every node that waits for its routes that the tables cannot be listed (P6). The first failure is not
   * reported, because the next list may succeed.
   */
  #reportWaiting(): void {
    if (this.#failedLists < 2) return;
    for (const record of this.#loop.records.values()) {
      const node = this.#options.nodes.get(record.name);
      if (node?.uid !== record.uid || !isWaiting(node)) continue;
      this.#reports.waitsForList(record, node);
    }
  }

  #view(): View<'routes'> {
    const { settings, tables } = this.#options;
    const { clusterCIDRs } = settings;
    const parts = {
      clusterCIDRs,
      families: tables.families,
      failedLists: this.#failedLists,
      wallOffsetMs: this.#wallOffsetMs,
    };
    return routesView(parts, this.#seen, this.#loop.records.values());
  }

  #plan({ tables }: Listed, nodes: readonly RoutedNode[]): RoutePlan {
    const { settings, tables: routeTables } = this.#options;
    const { clusterCIDRs, serviceRanges = [] } = settings;
    const scope = { clusterCIDRs, serviceRanges, families: routeTables.families };
    const plan = planRoutes({ nodes, tables, ...scope });
    this.metrics.planned(plan, tables);
    return plan;
  }

  /**
   * Passes the list on to the node-ipam-controller, which assigns a deleted node's block again only after its routes
   * are gone (I7).
   */
  #tellListed({ asOfMs, tables }: Listed, { counts }: RoutePlan): void {
    const wanted = counts.IPv4.wanted + counts.IPv6.wanted;
    this.#options.listed.tell({ asOfMs, tables, wanted });
  }

  /** Sends the operations that are due, and returns whether any of them did not succeed. */
  async #apply(plan: RoutePlan, signal: AbortSignal): Promise<boolean> {
    const { mode, tables, beforeWrite } = this.#options;
    const due = this.#backoff.due(plan.operations);
    if (mode === 'dryRun') {
      for (const operation of due) this.#reports.wouldChange(operation);
      return false;
    }
    const results = await tables.apply(
      due.map(({ operation }) => operation),
      { signal, beforeWrite },
    );
    const attempts = new Map<string, RouteAttempt[]>();
    let failed = 0;
    for (const [index, operation] of due.entries()) {
      const sent = results[index];
      if (sent === undefined) continue;
      const result = this.#withLateLists(operation, sent);
      if (result.kind !== 'applied') failed += 1;
      this.#take(operation, result, attempts);
    }
    this.#noteAttempts(attempts);
    const nextInMs = this.#backoff.nextInMs;
    if (nextInMs !== undefined) this.#timer.ask(nextInMs);
    // Only another list shows the outcome of the operations, so the next pass begins at once.
    if (due.length > 0 && !signal.aborted) this.#timer.ask();
    return failed > 0;
  }

  #take(
    operation: PlannedOperation,
    result: OperationResult,
    attempts: Map<string, RouteAttempt[]>,
  ): void {
    const { node } = operation;
    const record = node && this.#loop.records.get(node.uid);
    if (result.kind === 'applied') {
      this.#backoff.applied(operation);
      this.#reports.changed(operation);
    } else {
      this.#backoff.failed(operation, result.err);
      this.#reports.failed(operation, result.err);
    }
    const attempt = attemptOf(result);
    if (record === undefined) return;
    record.state.failures = withResult(record.state.failures, operation, result);
    if (attempt === 'refused') record.state.refusedAtMs = this.#options.clock.monotonic();
    if (attempt === undefined) return;
    attempts.set(record.uid, [...(attempts.get(record.uid) ?? []), attempt]);
  }

  /**
   * Lists may be late for a minute. Meanwhile a route that exists already counts as created. After a minute it has
   * failed, and so has an operation that the cloud applies again and has not listed.
   */
  #withLateLists(operation: PlannedOperation, result: OperationResult): OperationResult {
    if (result.kind === 'refused' && result.reason === 'exists') {
      return this.#backoff.mayBeListedLate(operation) ? { kind: 'applied' } : result;
    }
    if (result.kind !== 'applied' || !this.#backoff.isWithoutEffect(operation)) return result;
    const facts = { code: 'RouteChangeNotListed', retry: 'backoff', effect: 'unknown' } as const;
    const err = new CcmError('The cloud accepts the change, but does not list it', facts);
    return { kind: 'unknown', err };
  }

  #noteAttempts(byNode: ReadonlyMap<string, readonly RouteAttempt[]>): void {
    const endedAtMs = this.#options.clock.monotonic();
    for (const [uid, attempts] of byNode) {
      const record = this.#loop.records.get(uid);
      if (record === undefined) continue;
      record.state.history = withAttempts(record.state.history, { attempts, endedAtMs });
    }
  }

  /** Writes the conditions, and asks for another pass for the nodes whose condition could not be written. */
  async #writeConditions(listing: Listed, plan: RoutePlan, signal: AbortSignal): Promise<void> {
    for (const next of await this.#conditions.write(listing, plan, signal)) {
      this.#timer.ask(next.kind === 'again' ? next.afterMs : relistMs);
    }
  }

  #report(plan: RoutePlan): void {
    this.#reports.tables(plan.findings);
    this.#tableEvents.report(plan);
    for (const routes of plan.nodes.values()) {
      const found = this.#find(routes.uid);
      // A node that is not initialised has no addresses yet, and the cloud-node-controller reports what it waits for.
      if (found === undefined || !wasInitialised(found.record.state)) continue;
      this.#reports.judged(found.record, found.node, routes);
    }
  }

  #find(uid: string): FoundNode | undefined {
    const record = this.#loop.records.get(uid);
    if (record === undefined) return undefined;
    const node = this.#options.nodes.get(record.name);
    return node?.uid === uid ? { record, node } : undefined;
  }
}

/** Returns whether Tandem marked the node as without routes, and the node is still marked. */
function isWaiting({ networkUnavailable, podCIDRs, annotations }: NodeProjection): boolean {
  const isMarked =
    networkUnavailable?.status === noRouteCreated.status &&
    networkUnavailable.reason === noRouteCreated.reason;
  return isMarked && podCIDRs.length > 0 && !isPausing(annotations[pausedAnnotation]);
}

/** Classifies a result. A throttled operation, whose error has a retry time, counts as failed, not as refused. */
function attemptOf(result: OperationResult): RouteAttempt | undefined {
  switch (result.kind) {
    case 'applied':
      return 'applied';
    case 'refused':
      // A route that exists and is not listed is no refusal of the node's network.
      return typeof result.err.retry === 'object' || result.reason === 'exists'
        ? 'failed'
        : 'refused';
    case 'unknown':
      return 'failed';
    case 'notSent':
      return undefined;
  }
}

/**
 * Returns whether the node can have routes. A node without podCIDRs or a providerID cannot have any yet, so it needs no
 * pass of its own.
 */
function mayWantRoutes({ podCIDRs, providerID }: NodeProjection): boolean {
  return podCIDRs.length > 0 && providerID !== '';
}
