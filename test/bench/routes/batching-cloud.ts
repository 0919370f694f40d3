/**
 * The simulated cloud with a route table that takes changes in batches, as Azure's does: a batch is one call, and every
 * call to the table takes the same time. `--cloud-provider` names this module by its path. The module records each call
 * as a line of a file, and writes the table to another file when the program ends.
 */
import { appendFileSync, readFileSync, writeFileSync } from 'node:fs';
import type { Provider, ProviderContext } from '@tandem/provider/plug';
import { routeSettingsDefault, SimulatedCloud } from '@tandem/provider-simulated';
import { sleep } from '@tandem/runtime';
import { fillCloud } from './fleet.ts';
import { batchSize, callMs } from './settings.ts';

export interface CloudFile {
  readonly machines: number;
  readonly batchesAtOnce: number;
}

export interface CallLine {
  readonly kind: 'lookup' | 'list' | 'apply';
  /** The number of nodes that were looked up, or of routes that were changed. */
  readonly size: number;
  /** By the wall clock, which other processes share. */
  readonly beganMs: number;
  readonly endedMs: number;
}

/** Each destination with the key of its target instance. */
export type TableFile = readonly (readonly [destination: string, key: string])[];

export async function createProvider(context: ProviderContext): Promise<Provider> {
  const { clock, configPath = '' } = context;
  const { machines, batchesAtOnce }: CloudFile = JSON.parse(readFileSync(configPath, 'utf8'));
  const settings = { routes: { ...routeSettingsDefault, tables: [{ id: tableId }] } };
  const cloud = new SimulatedCloud({ ...context, settings });
  const { routes } = cloud;
  if (routes === undefined) throw new Error('the simulated cloud has no route table');
  fillCloud(cloud, machines);
  const counted = async <Answer>(
    kind: CallLine['kind'],
    size: number,
    call: () => Promise<Answer>,
  ): Promise<Answer> => {
    const beganMs = clock.now();
    const answer = await call();
    const line: CallLine = { kind, size, beganMs, endedMs: clock.now() };
    appendFileSync(callsFile(configPath), `${JSON.stringify(line)}\n`);
    return answer;
  };
  return {
    name: 'batching',
    identify: (providerID) => cloud.identify(providerID),
    lookup: (nodes, options) => counted('lookup', nodes.length, () => cloud.lookup(nodes, options)),
    routes: {
      families: routes.families,
      limits: { batchSize, concurrency: batchesAtOnce, callsPerSecond: 1_000, burst: 1_000 },
      list: (options) =>
        counted('list', 0, async () => {
          const asOfMs = clock.monotonic();
          await sleep(clock, callMs, options.signal);
          return { ...(await routes.list(options)), asOfMs };
        }),
      apply: (operations, options) =>
        counted('apply', operations.length, async () => {
          options.beforeWrite();
          await sleep(clock, callMs, options.signal);
          return routes.apply(operations, options);
        }),
    },
    async close() {
      const table: TableFile = routes
        .routesOf(tableId)
        .map(({ destination, target }) => [
          destination,
          target.kind === 'instance' ? target.key : target.kind,
        ]);
      writeFileSync(tableFile(configPath), JSON.stringify(table));
    },
  };
}

const tableId = 'table';

export function callsFile(configPath: string): string {
  return `${configPath}.calls`;
}

export function tableFile(configPath: string): string {
  return `${configPath}.table`;
}
