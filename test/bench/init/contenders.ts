/** Contenders whose clouds count what they are asked: Tandem with a provider of the bench, and upstream's manager. */
import { readFile } from 'node:fs/promises';
import {
  startUpstreamManager,
  type UpstreamManager,
  type UpstreamManagerOptions,
} from '../../upstream-manager/index.ts';
import type { Contender } from '../contest/contender.ts';
import { tandem, type TandemOptions } from '../contest/tandem.ts';
import { callsFile } from './counting-provider.ts';

export interface CountedContender extends Contender {
  /** How often it has asked its cloud since its last start. */
  cloudCalls(): Promise<number>;
}

export function countedTandem(
  options: TandemOptions & { readonly provider: string },
): CountedContender {
  return {
    ...tandem({ ...options, name: 'Tandem, cloud calls counted' }),
    cloudCalls: async () => Number(await readFile(callsFile(options.inventory), 'utf8')),
  };
}

/** Its cloud has the same machines and answers at once. */
export function upstream(name: string, options: UpstreamManagerOptions): CountedContender {
  let manager: UpstreamManager | undefined;
  return {
    name,
    start: async () => (manager = await startUpstreamManager(options)),
    cloudCalls: async () => (await manager?.cloudCalls())?.total ?? 0,
  };
}

export const liftedLimits = [
  '--kube-api-qps=5000',
  '--kube-api-burst=5000',
  '--concurrent-node-syncs=16',
] as const;
