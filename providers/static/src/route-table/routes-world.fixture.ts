/** A static provider with a route table, both in memory. */
import type { RouteNode, RouteOperation, RouteOutcome, Routes } from '@tandem/provider/plug';
import { aStaticWorld, head, type StaticWorld } from '../files.fixture.ts';
import { MemoryTables } from './memory-tables.fixture.ts';

export const tableFile = '/site/routes.json';

export const topWith = (file: string = tableFile): string => `${head}routeTable: {file: ${file}}\n`;

/** Machine `n` has 10.0.0.n and fd00::n. */
export const machine = (n: number): string =>
  `  - name: node-${n}\n    addresses:\n` +
  `      - {type: InternalIP, address: 10.0.0.${n}}\n      - {type: InternalIP, address: "fd00::${n}"}\n`;

export const node = (n: number, changes: Partial<RouteNode> = {}): RouteNode => ({
  key: `static:///node-${n}`,
  name: `node-${n}`,
  addresses: { IPv4: `10.0.0.${n}`, IPv6: `fd00::${n}` },
  ...changes,
});

export const create = (destination: string, to: RouteNode): RouteOperation => ({
  kind: 'create',
  table: tableFile,
  destination,
  to,
});

export const replace = (route: string, to: RouteNode): RouteOperation => ({
  kind: 'replace',
  table: tableFile,
  route,
  to,
});

export const remove = (route: string): RouteOperation => ({
  kind: 'delete',
  table: tableFile,
  route,
});

/** Returns the text of a route table. Each line is one route: `destination node nextHop`. */
export const tableOf = (...lines: readonly string[]): string => {
  const routes = lines.map((line) => {
    const [destination, name, nextHop] = line.split(' ');
    return { destination, node: name, nextHop };
  });
  return JSON.stringify({ routes });
};

export interface RoutesWorld extends StaticWorld {
  readonly tables: MemoryTables;
  readonly routes: Routes;
  /** Each route as `destination → target`. */
  readonly list: () => Promise<readonly string[]>;
  /** Each outcome as its kind, with its reason and message. */
  readonly apply: (...operations: readonly RouteOperation[]) => Promise<readonly string[]>;
}

export async function aRoutesWorld({
  inventory = `${topWith()}instances:\n${[1, 2, 3].map(machine).join('')}`,
  tables = new MemoryTables('/site'),
}: { inventory?: string; tables?: MemoryTables } = {}): Promise<RoutesWorld> {
  const world = await aStaticWorld(inventory, tables);
  const { routes } = world.provider;
  if (routes === undefined) throw new Error('the inventory has no route table');
  const { signal } = new AbortController();
  return {
    ...world,
    tables,
    routes,
    async list() {
      const listed = await routes.list({ signal });
      return listed.tables.flatMap((table) =>
        table.routes.map(({ destination, target }) => `${destination} → ${JSON.stringify(target)}`),
      );
    },
    async apply(...operations) {
      const outcomes = await routes.apply(operations, { signal, beforeWrite: () => {} });
      return outcomes.map(wordsOf);
    },
  };
}

function wordsOf(outcome: RouteOutcome): string {
  if (outcome.kind === 'applied') return outcome.kind;
  const reason = outcome.kind === 'refused' ? outcome.reason : undefined;
  return [outcome.kind, reason, outcome.err.message].filter(Boolean).join(': ');
}
