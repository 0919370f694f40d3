/** A manager process that runs the cloud-node-controller. */
import type { NodeSettings } from '@tandem/core/node-init';
import type { KubeTransport } from '@tandem/kube/transport';
import { noteRequests, TestManager } from '../loop/test-manager.fixture.ts';
import { NodeController, type NodeControllerOptions } from './node-controller.ts';
import type { NodeWorld } from './node-world.fixture.ts';

const settingsDefault: NodeSettings = {
  policies: [],
  exclusions: [],
  gates: { CloudNodeIPs: true },
  refreshLabels: false,
};

export interface ManagerOptions extends Partial<
  Pick<NodeControllerOptions, 'mode' | 'workers' | 'refreshPeriodMs' | 'managedRoutes'>
> {
  readonly settings?: Partial<NodeSettings>;
  /** Wraps the transport to the API server. */
  readonly wrap?: (transport: KubeTransport) => KubeTransport;
}

export class Manager extends TestManager {
  readonly controller: NodeController;

  constructor(world: NodeWorld, options: ManagerOptions) {
    const server = world.model.connect();
    const transport = noteRequests(world, options.wrap?.(server) ?? server);
    super(world, { provider: world.provider, transport, writeLimitMsMax: 5_000 });
    this.controller = new NodeController({
      ...this.parts,
      workers: options.workers ?? 8,
      refreshPeriodMs: options.refreshPeriodMs ?? 300_000,
      mode: options.mode ?? 'write',
      managedRoutes: options.managedRoutes,
      settings: { ...settingsDefault, ...options.settings },
    });
    this.begin((signal) => this.controller.run(signal));
  }
}
