/** Checks whether the tables have room for a route to every node, in each pod family. */
import type { Family } from '@tandem/core/ip';
import { AWSError } from '../failure.ts';
import type { RouteTable as EC2Table } from '../sdk/actions.ts';
import { familyOf, type TableLimits } from './table-limits.ts';

export interface RoomOptions {
  readonly nodes: number;
  readonly families: readonly Family[];
  readonly limits: TableLimits;
}

/** Describes the first table that is too small; undefined if there is none. */
export function findLackOfRoom(
  tables: readonly EC2Table[],
  { nodes, families, limits }: RoomOptions,
): AWSError | undefined {
  for (const { RouteTableId: id = '', Routes = [] } of tables) {
    const routes = Routes.flatMap((route) => {
      const destination = route.DestinationCidrBlock ?? route.DestinationIpv6CidrBlock;
      return destination ? [{ ...route, destination }] : [];
    });
    const capacity = limits.capacityOf(id, routes);
    for (const family of families) {
      const limit = capacity[family];
      const others = routes.filter(
        // The target of a node's route is an instance, or an interface that is gone.
        (one) => familyOf(one.destination) === family && !one.InstanceId && !one.NetworkInterfaceId,
      );
      if (limit !== undefined && nodes > limit - others.length) {
        return tooSmall({ id, family, limit, others: others.length, nodes });
      }
    }
  }
  return undefined;
}

function tooSmall(facts: {
  readonly id: string;
  readonly family: Family;
  readonly limit: number;
  readonly others: number;
  readonly nodes: number;
}): AWSError {
  const { id, family, limit, others, nodes } = facts;
  const message =
    `Route table ${id} takes ${limit} ${family} routes, ${others} of which lead elsewhere, but ${nodes} nodes ` +
    'need one each. Take pod CIDRs from EC2, use a network plugin that encapsulates, or select fewer nodes';
  return new AWSError('AWSRouteTableTooSmall', message);
}
