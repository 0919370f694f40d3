/**
 * The simulated cloud with its pages of 100, and its look-ups written down: a module that
 * `--cloud-provider` names by its path. Its file says how many machines there are and how many of the
 * first of them are gone; each look-up is a line of the file beside it.
 */
import { appendFileSync, readFileSync } from 'node:fs';
import type { Provider, ProviderContext } from '@tandem/provider/plug';
import { SimulatedCloud } from '@tandem/provider-simulated';
import { nodeName } from '../informer/node-objects.ts';

export interface CloudFile {
  readonly machines: number;
  readonly gone: number;
}

export interface LookupLine {
  readonly atMs: number;
  readonly nodes: number;
  /** Of all look-ups until now: several may be under way at once. */
  readonly pagesSoFar: number;
}

export async function createProvider(context: ProviderContext): Promise<Provider> {
  const { clock, configPath = '' } = context;
  const { machines, gone }: CloudFile = JSON.parse(readFileSync(configPath, 'utf8'));
  const cloud = new SimulatedCloud(context);
  fill(cloud, machines);
  for (let number = 0; number < gone; number++) cloud.terminate(nodeName(number));
  return {
    name: 'paged',
    identify: (providerID) => cloud.identify(providerID),
    async lookup(nodes, options) {
      const answers = await cloud.lookup(nodes, options);
      const { pages: pagesSoFar } = cloud.counts;
      const line: LookupLine = { atMs: clock.now(), nodes: nodes.length, pagesSoFar };
      appendFileSync(lookupsFile(configPath), `${JSON.stringify(line)}\n`);
      return answers;
    },
  };
}

/** Gives the providerIDs of the machines: by their number, the same in every process. */
export function fill(cloud: SimulatedCloud, machines: number): string[] {
  return Array.from(
    { length: machines },
    (_, number) => cloud.create({ name: nodeName(number) }).providerID,
  );
}

export function lookupsFile(configPath: string): string {
  return `${configPath}.lookups`;
}
