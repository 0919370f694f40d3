/**
 * The provider for machines outside any cloud. The inventory is the source of truth. While the file cannot be used,
 * the last good inventory stays in use, but no instance counts as absent (P3).
 */
import type { LookupAnswer, NodeRef, Provider, ProviderContext } from '@tandem/provider/plug';
import { seededIds } from '@tandem/runtime';
import { type FileSystem, nodeFileSystem } from './file-system.ts';
import { keyOf } from './inventory.ts';
import { InventoryFile } from './inventory-file.ts';
import { InventoryError } from './problem.ts';
import { nodeTableFiles, reportMoves, StaticRoutes, type TableFiles } from './route-table/index.ts';

export async function createStaticProvider(
  context: Pick<ProviderContext, 'configPath' | 'clock' | 'random' | 'logger' | 'metrics'>,
  fileSystem: FileSystem = nodeFileSystem,
  tableFiles: TableFiles = nodeTableFiles,
): Promise<Provider> {
  const { configPath: path, clock, metrics } = context;
  if (path === undefined) {
    const message = 'The provider static needs an inventory. Name its file with --cloud-config.';
    throw new InventoryError('InventoryMissing', message);
  }
  const logger = context.logger.child({ provider: 'static' });
  const file = await InventoryFile.open({ path, fileSystem, clock, logger, metrics });
  const ids = seededIds(context.random.fork('route-table'));
  const routes =
    file.inventory.routeFile === undefined
      ? undefined
      : new StaticRoutes({ inventoryFile: file, files: tableFiles, clock, ids });
  reportMoves(file, logger);
  return {
    name: 'static',
    // A look-up costs nothing.
    limits: { batchSize: 10_000, callsPerSecond: 1_000, burst: 1_000 },
    identify: (providerID) => (file.inventory.owns(providerID) ? keyOf(providerID) : undefined),
    async lookup(nodes, { maxAgeMs, signal }) {
      signal.throwIfAborted();
      if (clock.monotonic() - file.asOfMs >= maxAgeMs) await file.catchUp(signal);
      return new Map(nodes.map((node) => [node.name, answerFor(file, node)]));
    },
    ...(routes === undefined ? {} : { routes }),
    watch(onChange, { signal }) {
      file.onChange((changes) => {
        if (changes.length > 0) onChange(changes === 'anything' ? [] : changes);
      }, signal);
    },
    close: async () => file.close(),
  };
}

function answerFor({ inventory, trouble, asOfMs }: InventoryFile, node: NodeRef): LookupAnswer {
  const answer = inventory.answerFor(node);
  if (answer.kind === 'unknown') return answer;
  const isInDoubt = answer.kind === 'absent' && trouble !== undefined;
  return isInDoubt ? { kind: 'unknown', err: trouble } : { ...answer, asOfMs };
}
