/**
 * Keeps the routes of bare metal in one table, in the file that the inventory names, for the site's routers to read.
 * Only the manager writes the file, so all of its routes are ours. A route whose name is that of a machine leads to
 * that machine, and is ready while the inventory lists the next hop as an InternalIP of the machine. Any other route
 * leads to an address.
 */
import { type Family, formatAddress, formatCidr } from '@tandem/core/ip';
import type {
  Route,
  RouteApplyOptions,
  RouteLimits,
  RouteListing,
  RouteListOptions,
  RouteOperation,
  RouteOutcome,
  Routes,
  RouteTarget,
} from '@tandem/provider/plug';
import { type Clock, type Ids, Limiter } from '@tandem/runtime';
import type { InventoryFile } from '../inventory-file.ts';
import { changeTable, hasInternalIP } from './change-table.ts';
import { StaticRouteError } from './failure.ts';
import type { TableFiles } from './table-files.ts';
import { TableStore } from './table-store.ts';
import { routesMax, type Table, type TableRoute } from './table-text.ts';

interface StaticRoutesOptions {
  readonly inventoryFile: InventoryFile;
  readonly files: TableFiles;
  readonly clock: Clock;
  readonly ids: Ids;
}

export class StaticRoutes implements Routes {
  readonly families: readonly Family[] = ['IPv4', 'IPv6'];
  readonly limits: Partial<RouteLimits> = { batchSize: 10_000, callsPerSecond: 10 };
  readonly #inventoryFile: InventoryFile;
  readonly #clock: Clock;
  readonly #store: TableStore;
  /** A write reads, changes and stores the table. Two concurrent writes would lose a change. */
  readonly #writers: Limiter = new Limiter({ concurrency: 1 });

  constructor({ inventoryFile, files, clock, ids }: StaticRoutesOptions) {
    this.#inventoryFile = inventoryFile;
    this.#clock = clock;
    this.#store = new TableStore(files, ids);
  }

  async list({ signal }: RouteListOptions): Promise<RouteListing> {
    const asOfMs = this.#clock.monotonic();
    await this.#inventoryFile.catchUp(signal);
    const id = this.#path();
    const table = await this.#store.read(id);
    signal.throwIfAborted();
    const routes = [...table.values()].map((route) => this.#listed(route));
    return { asOfMs, tables: [{ id, capacity: routesMax, routes }] };
  }

  apply(
    operations: readonly RouteOperation[],
    options: RouteApplyOptions,
  ): Promise<readonly RouteOutcome[]> {
    return this.#writers.run(() => this.#change(operations, options), options.signal);
  }

  async #change(
    operations: readonly RouteOperation[],
    options: RouteApplyOptions,
  ): Promise<readonly RouteOutcome[]> {
    const { inventory } = this.#inventoryFile;
    const found = await this.#find().catch(asFailure);
    if (found instanceof StaticRouteError) return operations.map(() => failed(found));
    const { file, table: before } = found;
    const { table, outcomes } = changeTable(before, operations, { file, inventory });
    if (!outcomes.some(({ kind }) => kind === 'applied')) return outcomes;
    const failure = await this.#store.replace(file, table, options).catch(asFailure);
    if (failure === undefined) return outcomes;
    return outcomes.map((outcome) => (outcome.kind === 'applied' ? failed(failure) : outcome));
  }

  async #find(): Promise<{ readonly file: string; readonly table: Table }> {
    const file = this.#path();
    return { file, table: await this.#store.read(file) };
  }

  #path(): string {
    const { path, routeFile } = this.#inventoryFile.inventory;
    if (routeFile !== undefined) return routeFile;
    const message = `The inventory ${path} no longer has a routeTable. Add it again, or restart the manager without routes.`;
    throw new StaticRouteError('StaticTableRemoved', message);
  }

  #listed(route: TableRoute): Route {
    const destination = formatCidr(route.destination);
    return { id: destination, destination, ours: true, target: this.#targetOf(route) };
  }

  #targetOf({ node, nextHop }: TableRoute): RouteTarget {
    const machine = this.#inventoryFile.inventory.machineNamed(node);
    return machine === undefined
      ? { kind: 'address', address: formatAddress(nextHop) }
      : { kind: 'instance', key: machine.key, ready: hasInternalIP(machine, nextHop) };
  }
}

/** Returns an error of the table. Rethrows any other error, such as that of a closed write gate. */
function asFailure(err: unknown): StaticRouteError {
  if (err instanceof StaticRouteError) return err;
  throw err;
}

function failed(err: StaticRouteError): RouteOutcome {
  return { kind: err.effect === 'none' ? 'refused' : 'unknown', err };
}
