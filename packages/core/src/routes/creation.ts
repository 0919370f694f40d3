/**
 * Decides which missing routes are created, and which nodes wait because a table is full. Nodes
 * that lack the fewest routes come first, because a node with only half of its routes is
 * unavailable.
 */
import type { Family } from '../ip/index.ts';
import type { WantedRoute } from './need.ts';
import type { RouteNeeds } from './needs.ts';
import { type RoomVerdict, Room } from './room.ts';
import type { TablePlan } from './table-plan.ts';

/** A route that is missing in a table. */
export interface Creation {
  readonly table: string;
  readonly want: WantedRoute;
  readonly room: RoomVerdict;
}

export function placeCreations(
  needs: RouteNeeds,
  tables: readonly TablePlan[],
): readonly Creation[] {
  const rooms = new Map<string, Room>(
    tables.map(({ table, freed }) => [table.id, new Room(table, freed)]),
  );
  return missingByNode(needs, tables)
    .toSorted((a, b) => a.length - b.length)
    .flat()
    .map(({ table, want }) => {
      const room = rooms.get(table)?.take(familyOf(want)) ?? 'none';
      return { table, want, room };
    });
}

/**
 * In the order of the nodes' names, which a later sort keeps among nodes that lack the same number.
 */
function missingByNode(
  { nodes }: RouteNeeds,
  tables: readonly TablePlan[],
): readonly (readonly Omit<Creation, 'room'>[])[] {
  return nodes.flatMap(({ needs }) => {
    const missing: Omit<Creation, 'room'>[] = [];
    for (const need of needs) {
      if (need.kind !== 'wanted') continue;
      const { want } = need;
      for (const { table, states } of tables) {
        if (states.get(want)?.kind === 'missing') missing.push({ table: table.id, want });
      }
    }
    return missing.length === 0 ? [] : [missing];
  });
}

function familyOf({ destination }: WantedRoute): Family {
  return destination.network.family;
}
