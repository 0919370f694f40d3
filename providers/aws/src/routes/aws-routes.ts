/**
 * Manages routes in the route tables of a VPC. A route's target is the first network interface of an instance, because
 * EC2 accepts an instance as the target only if it has a single interface. The interface must not check source and
 * destination: Tandem turns the check off once, and the route is not ready until then.
 */
import type { Route as EC2Route } from '@aws-sdk/client-ec2';
import type * as plug from '@tandem/provider/plug';
import type { Clock } from '@tandem/runtime';
import { gapOf } from '../access-gap.ts';
import type { Cluster } from '../cluster.ts';
import { AWSError } from '../failure.ts';
import type { Interfaces } from '../interfaces.ts';
import type { RouteTable as EC2Table } from '../sdk/actions.ts';
import { findTables } from './find-tables.ts';
import { findRefusedChanges } from './refused-changes.ts';
import type { RouteAddress, RouteApi } from './route-api.ts';
import { TableLimits } from './table-limits.ts';
import { findLackOfRoom } from './table-room.ts';

export class AWSRoutes implements plug.Routes {
  readonly families: plug.Routes['families'] = ['IPv4', 'IPv6'];
  /** EC2 lets an account change about five routes a second, after a hundred at once. */
  readonly limits: Partial<plug.RouteLimits> = { batchSize: 10, callsPerSecond: 0.5, burst: 10 };
  readonly #api: RouteApi;
  readonly #dryRuns: RouteApi;
  readonly #interfaces: Interfaces;
  readonly #cluster: Cluster;
  readonly #clock: Clock;
  readonly #tableIds: readonly string[];
  readonly #tableLimits: TableLimits;
  readonly #podFamilies: plug.Routes['families'];

  constructor(options: {
    readonly api: RouteApi;
    /** For what the check at the start asks. */
    readonly dryRuns: RouteApi;
    readonly interfaces: Interfaces;
    readonly cluster: Cluster;
    readonly clock: Clock;
    readonly tableIds: readonly string[];
    /** The pod ranges of the cluster. */
    readonly podFamilies: plug.Routes['families'];
  }) {
    this.#api = options.api;
    this.#dryRuns = options.dryRuns;
    this.#interfaces = options.interfaces;
    this.#cluster = options.cluster;
    this.#clock = options.clock;
    this.#tableIds = options.tableIds;
    this.#tableLimits = new TableLimits(options.clock);
    this.#podFamilies = options.podFamilies;
  }

  async list({ signal }: plug.RouteListOptions): Promise<plug.RouteListing> {
    const asOfMs = this.#clock.monotonic();
    const { clusterId, tables } = await this.#read(signal);
    const routes = tables.flatMap(({ Routes = [] }) => Routes);
    const ids = routes.flatMap(({ InstanceId }) => InstanceId ?? []);
    const failures = await this.#interfaces.learn(ids, signal);
    // An outage may last for hours, and hides the instances of its zone only.
    const lasting = [...failures.values()].find(({ code }) => code !== 'EC2CallFailed');
    if (lasting !== undefined) throw lasting;
    return { asOfMs, tables: tables.map((table) => this.#tableOf(table, clusterId, failures)) };
  }

  /** Finds what keeps some of this many nodes from getting routes. */
  async findGaps(nodes: number, signal: AbortSignal): Promise<plug.AccessGap[]> {
    const refused: plug.AccessGap[] = [];
    const others = await gapOf('Some or all nodes get no routes', async () => {
      const { clusterId, tables } = await this.#read(signal);
      const interfaceId = await this.#interfaces.findOneOf(clusterId, signal);
      const [table] = tables;
      if (interfaceId !== undefined && table !== undefined) {
        const changes = { dryRuns: this.#dryRuns, table, interfaceId, signal };
        refused.push(...(await findRefusedChanges(changes)));
      }
      const [families, limits] = [this.#podFamilies, this.#tableLimits];
      const lack = findLackOfRoom(tables, { nodes, families, limits });
      if (lack !== undefined) throw lack;
    });
    return [...others, ...refused];
  }

  async #read(
    signal: AbortSignal,
  ): Promise<{ readonly clusterId: string; readonly tables: readonly EC2Table[] }> {
    const clusterId = await this.#cluster.id(signal);
    const [api, tableIds] = [this.#api, this.#tableIds];
    return { clusterId, tables: await findTables({ api, tableIds, clusterId, signal }) };
  }

  async apply(
    operations: readonly plug.RouteOperation[],
    options: plug.RouteApplyOptions,
  ): Promise<readonly plug.RouteOutcome[]> {
    // Deletions do not need interfaces.
    const keys = operations.flatMap((one) => (one.kind === 'delete' ? [] : [one.to.key]));
    const failures = await this.#interfaces.learn(keys, options.signal);
    const outcomes: plug.RouteOutcome[] = [];
    for (const operation of operations) {
      const err = operation.kind === 'delete' ? undefined : failures.get(operation.to.key);
      outcomes.push(err ? outcomeOfUnread(err) : await this.#applyOne(operation, options));
    }
    return outcomes;
  }

  async #applyOne(
    operation: plug.RouteOperation,
    options: plug.RouteApplyOptions,
  ): Promise<plug.RouteOutcome> {
    const { kind, table } = operation;
    const destination = kind === 'create' ? operation.destination : operation.route;
    const route = { table, destination };
    try {
      await this.#carryOut(operation, route, options);
      if (kind === 'create') this.#tableLimits.noteCreated(route);
      if (kind === 'delete') this.#tableLimits.noteDeleted(route);
      return { kind: 'applied' };
    } catch (err) {
      // The gate is closed or the deadline has passed: the rest of the batch must not be sent.
      if (!(err instanceof AWSError)) throw err;
      if (err.ec2Code === tableFullCode) this.#tableLimits.noteFull(route);
      return outcomeOf(err);
    }
  }

  async #carryOut(
    operation: plug.RouteOperation,
    route: RouteAddress,
    options: plug.RouteApplyOptions,
  ): Promise<void> {
    if (operation.kind === 'delete') return this.#api.remove(route, options);
    const interfaceId = await this.#ensureForwarding(operation.to, options);
    return operation.kind === 'create'
      ? this.#api.create(route, interfaceId, options)
      : this.#api.replace(route, interfaceId, options);
  }

  /** Returns the interface that is the target of a node's routes. */
  async #ensureForwarding(to: plug.RouteNode, options: plug.RouteApplyOptions): Promise<string> {
    const known = this.#interfaces.find(to.key);
    if (known === undefined) {
      const message = `EC2 shows no network interface of ${to.key}, the instance of node ${to.name}`;
      throw new AWSError('AWSRouteTargetUnknown', message);
    }
    if (known.isChecked) {
      await this.#api.letForward(known.id, options);
      this.#interfaces.noteForwarding(to.key);
    }
    return known.id;
  }

  #tableOf(
    { RouteTableId = '', Routes = [] }: EC2Table,
    clusterId: string,
    failures: ReadonlyMap<string, AWSError>,
  ): plug.RouteTable {
    const routes = Routes.flatMap((route) => this.#routeOf(route, clusterId, failures));
    const capacity = this.#tableLimits.capacityOf(RouteTableId, routes);
    return { id: RouteTableId, capacity, routes };
  }

  /** Returns nothing for a route to a prefix list, which never belongs to a node. */
  #routeOf(
    route: EC2Route,
    clusterId: string,
    failures: ReadonlyMap<string, AWSError>,
  ): plug.Route[] {
    const destination = route.DestinationCidrBlock ?? route.DestinationIpv6CidrBlock;
    if (!destination) return [];
    const { InstanceId: key, NetworkInterfaceId } = route;
    const isBlackhole = route.State === 'blackhole';
    if (key) {
      const known = this.#interfaces.find(key);
      if (known !== undefined) {
        const ready = known.id === NetworkInterfaceId && !known.isChecked;
        const ours = known.clusterIds.includes(clusterId);
        return [{ id: destination, destination, ours, target: { kind: 'instance', key, ready } }];
      }
      const err = failures.get(key) ?? (isBlackhole ? undefined : notShown(key));
      if (err !== undefined) {
        return [{ id: destination, destination, ours: false, target: { kind: 'unknown', err } }];
      }
    }
    // Of a terminated instance, EC2 usually names the interface alone.
    const target = { kind: isBlackhole ? 'blackhole' : 'other' } as const;
    return [{ id: destination, destination, ours: isBlackhole, target }];
  }
}

/** EC2 may show the instance later, or the route may turn out to be dead. */
function notShown(key: string): AWSError {
  return new AWSError('AWSRouteTargetUnknown', `EC2 shows no network interface of ${key}`);
}

const tableFullCode = 'RouteLimitExceeded';

/**
 * Returns the outcome of an operation whose instance could not be read. An outage refuses no route: a refusal marks the
 * network of the node as unavailable.
 */
function outcomeOfUnread(err: AWSError): plug.RouteOutcome {
  return { kind: err.code === 'EC2CallFailed' ? 'unknown' : 'refused', err };
}

function outcomeOf(err: AWSError): plug.RouteOutcome {
  if (err.effect === 'unknown') return { kind: 'unknown', err };
  switch (err.ec2Code) {
    case 'InvalidRoute.NotFound':
      return { kind: 'applied' };
    case 'RouteAlreadyExists':
      return { kind: 'refused', err, reason: 'exists' };
    case tableFullCode:
      return { kind: 'refused', err, reason: 'tableFull' };
    default:
      return { kind: 'refused', err };
  }
}
