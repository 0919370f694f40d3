/** Contenders whose clouds count what they are asked: Tandem with a provider of the bench, and upstream's manager. */
import { readFile } from 'node:fs/promises';
import { type InventoryInstance, startUpstreamManager } from '../../upstream-manager/index.ts';
import type { Contender } from '../contest/contender.ts';
import { tandem, type TandemOptions } from '../contest/tandem.ts';
import { callsFile } from './counting-provider.ts';

export function countedTandem(options: TandemOptions & { readonly provider: string }): Contender {
  const counted = tandem({ ...options, name: 'Tandem, cloud calls counted' });
  return {
    name: counted.name,
    async start() {
      const running = await counted.start();
      const cloudCalls = async (): Promise<number> =>
        Number(await readFile(callsFile(options.inventory), 'utf8'));
      return { ...running, cloudCalls };
    },
  };
}

/** Its cloud has the same machines and answers at once. */
export function upstream(options: {
  readonly program: string;
  readonly kubeconfig: string;
  readonly inventory: readonly InventoryInstance[];
  readonly limits: 'default' | 'lifted';
}): Contender {
  const { limits, ...rest } = options;
  const flags = limits === 'lifted' ? liftedLimits : [];
  return {
    name: `upstream, ${limits === 'lifted' ? 'limits lifted' : 'default flags'}`,
    async start() {
      const manager = await startUpstreamManager({ ...rest, flags });
      return {
        pid: manager.pid,
        ended: manager.ended,
        stop: () => manager.stop(),
        log: () => manager.log(),
        cloudCalls: async () => (await manager.cloudCalls()).total,
      };
    },
  };
}

const liftedLimits = ['--kube-api-qps=5000', '--kube-api-burst=5000', '--concurrent-node-syncs=16'];
