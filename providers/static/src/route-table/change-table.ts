/**
 * Applies operations to a route table in memory. It compares destinations by value. A route leads only to a machine of
 * the inventory, through an InternalIP that the inventory lists (P2).
 */
import {
  type Cidr,
  formatCidr,
  type IpAddress,
  isSameAddress,
  parseAddress,
  parseCidr,
} from '@tandem/core/ip';
import { quote } from '@tandem/core/node-address';
import type { RouteNode, RouteOperation, RouteOutcome } from '@tandem/provider/plug';
import type { Inventory, Machine } from '../inventory.ts';
import { StaticRouteError } from './failure.ts';
import { routesMax, type Table, type TableRoute } from './table-text.ts';

interface TableSetting {
  /** The file of the table, which is its id. */
  readonly file: string;
  readonly inventory: Pick<Inventory, 'machineOf'>;
  readonly capacity?: number;
}

/** Returns the changed table and one outcome for each operation, which is valid once that table is stored. */
export function changeTable(
  table: Table,
  operations: readonly RouteOperation[],
  setting: TableSetting,
): { readonly table: Table; readonly outcomes: readonly RouteOutcome[] } {
  const changed = new Map(table);
  const outcomes = operations.map((operation): RouteOutcome => {
    const refusal = change(changed, operation, setting);
    return refusal === undefined ? { kind: 'applied' } : refused(refusal);
  });
  return { table: changed, outcomes };
}

/** Returns whether the inventory lists the address as an InternalIP of the machine. */
export function hasInternalIP({ instance }: Machine, wanted: IpAddress): boolean {
  return instance.addresses.some(({ type, address }) => {
    const ip = type === 'InternalIP' ? parseAddress(address) : undefined;
    return ip !== undefined && isSameAddress(ip, wanted);
  });
}

function refused(err: StaticRouteError): RouteOutcome {
  if (err.code === 'StaticRouteExists') return { kind: 'refused', err, reason: 'exists' };
  if (err.code === 'StaticTableFull') return { kind: 'refused', err, reason: 'tableFull' };
  return { kind: 'refused', err };
}

/** Changes the table, or returns why it refuses the operation. */
function change(
  table: Map<string, TableRoute>,
  operation: RouteOperation,
  setting: TableSetting,
): StaticRouteError | undefined {
  if (operation.table !== setting.file) {
    const message = `The inventory names the route table ${setting.file}, not ${operation.table}`;
    return new StaticRouteError('StaticRouteMissing', message);
  }
  const destination = destinationOf(table, operation, setting);
  if (destination instanceof StaticRouteError) return destination;
  const id = formatCidr(destination);
  if (operation.kind === 'delete') {
    table.delete(id);
    return undefined;
  }
  const target = targetOf(operation.to, destination, setting);
  if (target instanceof StaticRouteError) return target;
  table.set(id, { destination, ...target });
  return undefined;
}

/** Returns the destination of a new route that the table accepts, or that of an existing route. */
function destinationOf(
  table: Table,
  operation: RouteOperation,
  { file, capacity = routesMax }: TableSetting,
): Cidr | StaticRouteError {
  if (operation.kind !== 'create') {
    const route = table.get(operation.route);
    if (route !== undefined) return route.destination;
    const message = `The route table ${file} has no route to ${quote(operation.route)}`;
    return new StaticRouteError('StaticRouteMissing', message);
  }
  const parsed = parseCidr(operation.destination);
  if (parsed.kind === 'invalid') {
    const message = `The destination ${quote(operation.destination)} ${parsed.reason}`;
    return new StaticRouteError('StaticRouteRefused', message);
  }
  const id = formatCidr(parsed.cidr);
  const taken = table.get(id);
  if (taken !== undefined) {
    const message = `The route table ${file} already has a route to ${id}, by ${quote(taken.node)}`;
    return new StaticRouteError('StaticRouteExists', message);
  }
  if (table.size < capacity) return parsed.cidr;
  const message = `The route table ${file} has ${table.size} routes and takes no more`;
  return new StaticRouteError('StaticTableFull', message);
}

function targetOf(
  { key, name, addresses }: RouteNode,
  { network: { family } }: Cidr,
  { inventory }: TableSetting,
): Pick<TableRoute, 'node' | 'nextHop'> | StaticRouteError {
  const refuse = (why: string): StaticRouteError =>
    new StaticRouteError('StaticRouteRefused', `Cannot route to Node ${quote(name)}: ${why}`);
  const machine = inventory.machineOf(key);
  if (machine === undefined) return refuse('the inventory has no valid entry for it');
  const text = addresses[family];
  if (text === undefined) return refuse(`it has no InternalIP of the family ${family}`);
  const nextHop = parseAddress(text);
  const isOwn = nextHop?.family === family && hasInternalIP(machine, nextHop);
  return isOwn
    ? { node: machine.name, nextHop }
    : refuse(`the inventory does not list ${quote(text)} as InternalIP of ${quote(machine.name)}`);
}
