/**
 * The provider for machines that no cloud knows: what the inventory says is what there is. While the
 * file cannot be used, what it last said still counts, but nobody is absent (P3).
 */
import type {
  LookupAnswer,
  LookupAnswers,
  LookupOptions,
  NodeRef,
  Provider,
  ProviderContext,
} from '@tandem/provider/plug';
import { type FileSystem, nodeFileSystem } from './file-system.ts';
import { InventoryFile } from './inventory-file.ts';
import { InventoryError } from './problem.ts';

export async function createStaticProvider(
  context: Omit<ProviderContext, 'random'>,
  fileSystem: FileSystem = nodeFileSystem,
): Promise<Provider> {
  const { configPath: path, clock, metrics } = context;
  if (path === undefined) {
    const message = 'The provider static needs its inventory: give its file by --cloud-config';
    throw new InventoryError('InventoryMissing', message);
  }
  const logger = context.logger.child({ provider: 'static' });
  const file = await InventoryFile.open({ path, fileSystem, clock, logger, metrics });
  return {
    name: 'static',
    // It costs nothing to ask.
    limits: { batchSize: 10_000, callsPerSecond: 1_000, burst: 1_000 },
    owns: (providerID) => file.inventory.owns(providerID),
    lookup: (nodes, options) => lookUp(file, nodes, options),
    close: async () => file.close(),
  };
}

async function lookUp(
  file: InventoryFile,
  nodes: readonly NodeRef[],
  { freshness, signal }: LookupOptions,
): Promise<LookupAnswers> {
  signal.throwIfAborted();
  if (freshness === 'authoritative') await file.catchUp(signal);
  return new Map(nodes.map((node) => [node.name, answerFor(file, node)]));
}

function answerFor({ inventory, trouble }: InventoryFile, node: NodeRef): LookupAnswer {
  const answer = inventory.answerFor(node);
  return answer.kind === 'absent' && trouble !== undefined
    ? { kind: 'unknown', err: trouble }
    : answer;
}
