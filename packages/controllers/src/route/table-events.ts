/**
 * Reports tables that are full or nearly full. A table is not a Kubernetes object, so the event is on the newest node
 * that needs routes. `kubectl get events` shows it once for each table, and users who add nodes find it on a new node.
 * The event is renewed until there is room again.
 */
import type { RoutePlan, TableFinding } from '@tandem/core/routes';
import type { NodeProjection } from '@tandem/kube/node';
import type { Reports } from '../loop/index.ts';
import { routeEvent } from './events.ts';
import type { RouteNodeRecord } from './route-state.ts';

export interface TableEventsOptions {
  readonly reports: Reports;
  readonly find: (uid: string) => FoundNode | undefined;
}

export interface FoundNode {
  readonly record: RouteNodeRecord;
  readonly node: NodeProjection;
}

interface ActiveEvent {
  readonly record: RouteNodeRecord;
  /** Identifies the event, so that a table that fills up does not cause a new event with every route. */
  readonly identity: string;
}

export class TableEvents {
  readonly #options: TableEventsOptions;
  /** The active events, by table. */
  #active = new Map<string, ActiveEvent>();

  constructor(options: TableEventsOptions) {
    this.#options = options;
  }

  report({ findings, nodes }: Pick<RoutePlan, 'findings' | 'nodes'>): void {
    const full = findings.filter(isAboutRoom);
    const bearer = full.length === 0 ? undefined : this.#newest(nodes);
    const before = this.#active;
    this.#active = new Map();
    if (bearer !== undefined) for (const finding of full) this.#say(finding, bearer, before);
    for (const [table, { record }] of before) {
      if (this.#active.get(table)?.record !== record) {
        this.#options.reports.endBeside(record, about(table));
      }
    }
  }

  #say(
    { table, code, message }: RoomFinding,
    { record, node }: FoundNode,
    before: ReadonlyMap<string, ActiveEvent>,
  ): void {
    const identity = code === 'RouteTableFull' ? message : code;
    this.#active.set(table, { record, identity });
    const last = before.get(table);
    if (last?.record === record && last.identity === identity) return;
    this.#options.reports.startBeside(record, routeEvent(node, code, message), about(table));
  }

  /**
   * Returns the newest node that needs routes. Of several nodes that were created in the same second it returns the
   * last by name, so that the choice does not change between passes.
   */
  #newest(nodes: RoutePlan['nodes']): FoundNode | undefined {
    const rank = ({ node }: FoundNode): readonly [number, string] => [
      node.creationTimestampSeconds,
      node.name,
    ];
    let newest: FoundNode | undefined;
    for (const { uid, verdict } of nodes.values()) {
      if (verdict.kind !== 'available' && verdict.kind !== 'unavailable') continue;
      const found = this.#options.find(uid);
      if (found !== undefined && (newest === undefined || isAfter(rank(found), rank(newest)))) {
        newest = found;
      }
    }
    return newest;
  }
}

type RoomFinding = TableFinding & {
  readonly code: 'RouteTableNearlyFull' | 'RouteTableFull';
  readonly table: string;
};

function isAboutRoom(finding: TableFinding): finding is RoomFinding {
  const { code, table } = finding;
  return table !== undefined && (code === 'RouteTableNearlyFull' || code === 'RouteTableFull');
}

function isAfter(
  [a, aName]: readonly [number, string],
  [b, bName]: readonly [number, string],
): boolean {
  return a === b ? aName > bName : a > b;
}

function about(table: string): string {
  return `table ${table}`;
}
