/**
 * Manages routes in the cluster's one route table. Each route leads to the address of a node. A batch is one write of
 * the whole table, based on the last list and guarded by its ETag: if another program changed the table in the
 * meantime, Azure refuses the write, and the provider merges the batch into the current table.
 */
import type { Route, RouteTable } from '@azure/arm-network';
import type * as plug from '@tandem/provider/plug';
import type { Clock, Logger } from '@tandem/runtime';
import { isLimitReached, isPreconditionFailure, isRefusedAsIs } from '../call-failure.ts';
import type { RouteTableSettings } from '../config/index.ts';
import { AzureError, type AzureErrorCode } from '../failure.ts';
import type { NodeNames } from '../node-names.ts';
import type { Forwarding } from './forwarding.ts';
import { type MergedTable, mergeTable } from './merge-table.ts';
import type { RouteApi } from './route-api.ts';
import { isManaged, nodeNameOf } from './route-name.ts';
import { TableLimit } from './table-limit.ts';
import { clusterTag, requireOwn } from './table-owner.ts';

/** How often to write a batch if another program keeps changing the table. */
const attemptsMax = 3;

type Tags = Readonly<Record<string, string>>;

/** The outcomes that are known before a batch has ended. */
type Outcomes = Map<plug.RouteOperation, plug.RouteOutcome>;

export interface AzureRoutesOptions {
  readonly api: RouteApi;
  readonly place: RouteTableSettings;
  /** The location of a table that the provider has to create. */
  readonly location: string | undefined;
  readonly clusterName: string;
  readonly nodeNames: NodeNames;
  readonly forwarding: Forwarding;
  readonly clock: Clock;
  readonly logger: Logger;
}

export class AzureRoutes implements plug.Routes {
  readonly families: plug.Routes['families'] = ['IPv4', 'IPv6'];
  /** A batch may have more operations than a table has routes, and only one write runs at a time. */
  readonly limits: Partial<plug.RouteLimits> = {
    batchSize: 2_000,
    concurrency: 1,
    callsPerSecond: 0.5,
    burst: 5,
    deadlineMs: 120_000,
    // This is short compared with a write, which takes Azure seconds.
    gatherMsMax: 5_000,
  };
  readonly #options: AzureRoutesOptions;
  readonly #limit: TableLimit;
  /** The table as it was last read; undefined after a write. */
  #read: RouteTable | undefined;

  constructor(options: AzureRoutesOptions) {
    this.#options = options;
    this.#limit = new TableLimit(options.clock);
  }

  async list({ signal }: plug.RouteListOptions): Promise<plug.RouteListing> {
    const { clock, place, nodeNames, forwarding } = this.#options;
    const asOfMs = clock.monotonic();
    const listed = (await this.#find(signal))?.routes ?? [];
    const routes = listed.map((route) => routeOf(route, nodeNames.all));
    const managed = listed.filter((route) => isManaged(route, nodeNames.all));
    forwarding.routed(new Set(managed.map(nodeNameOf)));
    const capacity = this.#limit.capacityOf(routes.length);
    const limit = capacity === undefined ? {} : { capacity };
    return { asOfMs, tables: [{ id: place.name, ...limit, routes }] };
  }

  /** Returns why routes cannot be kept in the table; undefined if it can be used, or can be created. */
  async findProblem(signal: AbortSignal): Promise<AzureError | undefined> {
    try {
      if ((await this.#find(signal)) === undefined) this.#newTable();
      return undefined;
    } catch (err) {
      if (err instanceof AzureError) return err;
      throw err;
    }
  }

  async apply(
    operations: readonly plug.RouteOperation[],
    options: plug.RouteApplyOptions,
  ): Promise<readonly plug.RouteOutcome[]> {
    options.signal.throwIfAborted();
    for (const one of operations)
      if (one.kind !== 'delete') this.#options.nodeNames.note(one.to.name);
    const known: Outcomes = new Map();
    try {
      const table = this.#read ?? (await this.#find(options.signal));
      return await this.#applyTo(table, operations, options, known);
    } catch (err) {
      // Any other error means that the gate before the write is closed or the time is up.
      if (!(err instanceof AzureError)) throw err;
      return operations.map((one) => known.get(one) ?? outcomeOfUnwritten(err));
    }
  }

  /** Puts the outcomes of a part of the operations into `known` as soon as that part is written. */
  async #applyTo(
    read: RouteTable | undefined,
    operations: readonly plug.RouteOperation[],
    options: plug.RouteApplyOptions,
    known: Outcomes,
  ): Promise<readonly plug.RouteOutcome[]> {
    let table = read;
    for (let attempt = 1; attempt <= attemptsMax; attempt++) {
      if (attempt > 1) table = await this.#find(options.signal);
      const merged = mergeTable(table?.routes ?? [], operations, this.#options.nodeNames.all);
      if (merged.changing.size === 0) return merged.outcomes;
      const err = await this.#write(table, merged.routes, options);
      if (err === undefined) return merged.outcomes;
      if (isPreconditionFailure(err)) continue;
      if (isLimitReached(err)) return this.#applyWhatFits(table, operations, options, known);
      const outcomes = failed(merged, err);
      return isRefusedAsIs(err)
        ? this.#applyOthers(operations, outcomes, options, known)
        : outcomes;
    }
    const { name } = this.#options.place;
    const message = `Route table ${name} changed each time that it was written to`;
    throw new AzureError('AzureRouteTableChanged', message);
  }

  /**
   * Carries out the deletions and replacements alone after Azure refused the table for a reason that this program does
   * not know. The reason may be one of the new routes, or a limit with another code. Deletions and replacements must
   * not wait for it.
   */
  async #applyOthers(
    operations: readonly plug.RouteOperation[],
    refused: readonly plug.RouteOutcome[],
    options: plug.RouteApplyOptions,
    known: Outcomes,
  ): Promise<readonly plug.RouteOutcome[]> {
    const others = operations.filter(({ kind }) => kind !== 'create');
    if (others.length === 0 || others.length === operations.length) return refused;
    for (const [index, one] of operations.entries()) {
      const outcome = refused[index];
      if (outcome !== undefined) known.set(one, outcome);
    }
    await this.#writePart(await this.#find(options.signal), others, options, known);
    return operations.flatMap((one) => known.get(one) ?? []);
  }

  /**
   * Applies as many operations as fit after Azure reported a limit: first the deletions and replacements, with as many
   * new routes as the deletions make room for, and then as many further routes as Azure accepts. In this way it learns
   * the limit.
   */
  async #applyWhatFits(
    read: RouteTable | undefined,
    operations: readonly plug.RouteOperation[],
    options: plug.RouteApplyOptions,
    known: Outcomes,
  ): Promise<readonly plug.RouteOutcome[]> {
    const waiting = operations.filter(({ kind }) => kind === 'create');
    const others = operations.filter(({ kind }) => kind !== 'create');
    let table = read;
    let refusedSize = sizeOf(table) + waiting.length;
    if (others.length > 0) {
      const deletions = others.filter(({ kind }) => kind === 'delete').length;
      const fitting = [...others, ...waiting.splice(0, deletions)];
      if (!(await this.#writePart(table, fitting, options, known))) waiting.length = 0;
      table = await this.#find(options.signal);
    }
    if (this.#limit.wasLimit(sizeOf(table))) refusedSize = sizeOf(table) + 1;
    while (waiting.length > 0 && refusedSize - sizeOf(table) > 1) {
      const size = Math.floor((sizeOf(table) + refusedSize) / 2);
      const part = waiting.slice(0, size - sizeOf(table));
      if (await this.#writePart(table, part, options, known)) {
        waiting.splice(0, part.length);
        table = await this.#find(options.signal);
      } else refusedSize = size;
    }
    if (refusedSize - sizeOf(table) <= 1) this.#limit.note(sizeOf(table));
    const full = this.#full(sizeOf(table));
    return operations.map((one) => known.get(one) ?? full);
  }

  /**
   * Writes a part of the operations and stores their outcomes. Returns whether the table was written or needed no
   * write. If the table would exceed its limit, it stores no outcomes. Rejects after any other failure, which stops the
   * rest of the batch.
   */
  async #writePart(
    table: RouteTable | undefined,
    part: readonly plug.RouteOperation[],
    options: plug.RouteApplyOptions,
    known: Outcomes,
  ): Promise<boolean> {
    const merged = mergeTable(table?.routes ?? [], part, this.#options.nodeNames.all);
    const err =
      merged.changing.size === 0 ? undefined : await this.#write(table, merged.routes, options);
    if (err !== undefined && isLimitReached(err)) return false;
    const own = err === undefined ? merged.outcomes : failed(merged, err);
    for (const [index, one] of part.entries()) {
      const outcome = own[index];
      if (outcome !== undefined) known.set(one, outcome);
    }
    if (err !== undefined) throw err;
    return true;
  }

  #full(size: number): plug.RouteOutcome {
    const message = `Route table ${this.#options.place.name} takes no more than its ${size} routes`;
    const err = new AzureError('AzureRouteTableFull', message);
    return { kind: 'refused', err, reason: 'tableFull' };
  }

  /**
   * Writes the table and returns the error if Azure reported one. Rejects if the write must not be sent, for example
   * because the gate is closed.
   */
  async #write(
    table: RouteTable | undefined,
    routes: readonly Route[],
    options: plug.RouteApplyOptions,
  ): Promise<AzureError | undefined> {
    const { api, place, logger } = this.#options;
    this.#read = undefined;
    const body = table === undefined ? this.#newTable() : table;
    const tags = mergeTags(body.tags ?? {}, place.tags);
    try {
      await api.write({ ...body, tags, routes: [...routes] }, table?.etag, options);
    } catch (err) {
      if (err instanceof AzureError) return err;
      throw err;
    }
    if (table === undefined) {
      const fields = { routeTable: place.name, resourceGroup: place.resourceGroup };
      logger.info(fields, 'Created the route table, which has no effect before a subnet uses it');
    }
    return undefined;
  }

  async #find(signal: AbortSignal): Promise<RouteTable | undefined> {
    const { api, clusterName } = this.#options;
    const table = await api.find(signal);
    if (table !== undefined) requireOwn(table, clusterName);
    this.#read = table;
    return table;
  }

  #newTable(): RouteTable {
    const { place, location, clusterName } = this.#options;
    if (location !== undefined) return { location, tags: { [clusterTag]: clusterName } };
    const what = `Route table ${place.name} does not exist in resource group ${place.resourceGroup}`;
    const message = `${what}. Create it, or set location in --cloud-config`;
    throw new AzureError('AzureRouteTableMissing', message);
  }
}

function routeOf(route: Route, nodeNames: ReadonlySet<string>): plug.Route {
  const { name = '', addressPrefix = '', nextHopType, nextHopIpAddress } = route;
  const isToAddress = nextHopType === 'VirtualAppliance' && nextHopIpAddress !== undefined;
  return {
    id: name,
    destination: addressPrefix,
    ours: isManaged(route, nodeNames),
    target: isToAddress ? { kind: 'address', address: nextHopIpAddress } : { kind: 'other' },
  };
}

/** Adds tags. Azure ignores the case of their names, so a tag that exists keeps its spelling and gets the new value. */
function mergeTags(current: Tags, added: Tags): Record<string, string> {
  const names = new Map(Object.keys(current).map((name) => [name.toLowerCase(), name]));
  const tags: Record<string, string> = { ...current };
  for (const [name, value] of Object.entries(added)) {
    tags[names.get(name.toLowerCase()) ?? name] = value;
  }
  return tags;
}

function sizeOf(table: RouteTable | undefined): number {
  return table?.routes?.length ?? 0;
}

/**
 * Returns the outcomes after a failed write. Operations that change nothing keep theirs, because they did not need the
 * write.
 */
function failed(
  { outcomes, changing }: MergedTable,
  err: AzureError,
): readonly plug.RouteOutcome[] {
  return outcomes.map((outcome, index) => (changing.has(index) ? outcomeOf(err) : outcome));
}

/** Returns the outcome of a failed write. A table that another program changed meanwhile refuses no route. */
function outcomeOf(err: AzureError): plug.RouteOutcome {
  const isRefusal = err.effect === 'none' && !isPreconditionFailure(err);
  return { kind: isRefusal ? 'refused' : 'unknown', err };
}

/**
 * Returns the outcome of operations that were not written. A table that cannot be read now, or that changes all the
 * time, refuses no route: a refusal marks the network of its node as unavailable.
 */
function outcomeOfUnwritten(err: AzureError): plug.RouteOutcome {
  return { kind: transientCodes.has(err.code) ? 'unknown' : 'refused', err };
}

const transientCodes: ReadonlySet<string> = new Set<AzureErrorCode>([
  'AzureCallFailed',
  'AzureScopeMissing',
  'AzureRouteTableChanged',
]);
