/** Upstream's manager, with a cloud of the same machines that answers at once. */
import { type InventoryInstance, startUpstreamManager } from '../../../upstream-manager/index.ts';
import type { Contender } from '../../contest/contender.ts';

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
