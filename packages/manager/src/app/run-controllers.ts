/**
 * Runs the controllers that were asked for, side by side, for one term of leadership. When the signal
 * aborts each of them ends what it has begun; after that the events that are left are sent, while the
 * fence is still open. One that fails ends all: a manager that does half its work looks healthy.
 */
import { NodeController, type NodeIndex } from '@tandem/controllers/node';
import { NodeLifecycleController } from '@tandem/controllers/node-lifecycle';
import type { KubeClient } from '@tandem/kube/client';
import type { NodeProjection } from '@tandem/kube/codec';
import { EventRecorder } from '@tandem/kube/events';
import type { Informer } from '@tandem/kube/informer';
import type { InstanceLookup } from '@tandem/provider/lookup';
import type { ControllerName, ManagerSettings } from '../settings/index.ts';
import type { AppPorts } from './app.ts';
import { type RunningMetrics, runningMetrics } from './app-metrics.ts';

export interface ControllersOptions {
  readonly ports: AppPorts;
  readonly settings: ManagerSettings;
  /** Which process says it, in events. */
  readonly identity: string;
  readonly client: KubeClient;
  /** The manager's own, which the Lease belongs to. */
  readonly leaseClient: KubeClient;
  readonly nodes: Informer<NodeProjection, NodeIndex>;
  readonly lookup: InstanceLookup;
}

type Parts = ControllersOptions & {
  readonly recorder: EventRecorder;
  readonly running: RunningMetrics;
};

export async function runControllers(
  options: ControllersOptions,
  signal: AbortSignal,
): Promise<void> {
  const { ports, settings, client } = options;
  const recorder = new EventRecorder({ ...ports, client, reportingInstance: options.identity });
  const parts = { ...options, recorder, running: runningMetrics(ports.metrics) };
  const failed = new AbortController();
  const ending = AbortSignal.any([signal, failed.signal]);
  const runs = [...settings.controllers].map(async (name) => {
    try {
      await runOne(name, parts, ending);
    } catch (err) {
      failed.abort(err);
      throw err;
    }
  });
  const ends = await Promise.allSettled(runs);
  await recorder.stop();
  for (const end of ends) if (end.status === 'rejected') throw end.reason;
}

async function runOne(name: ControllerName, parts: Parts, signal: AbortSignal): Promise<void> {
  const logger = parts.ports.logger.child({ controller: name });
  const controller = createController(name, { ...parts, ports: { ...parts.ports, logger } });
  parts.running.set(name, 1);
  logger.info({}, 'Started controller');
  try {
    await controller.run(signal);
  } finally {
    parts.running.set(name, 0);
  }
  logger.info({}, 'Stopped controller');
}

function createController(
  name: ControllerName,
  parts: Parts,
): { run(signal: AbortSignal): Promise<void> } {
  const { ports, settings, client, nodes, lookup, recorder } = parts;
  const mode = settings.dryRun ? 'dryRun' : 'write';
  const shared = { ...ports, client, nodes, lookup, recorder, mode } as const;
  switch (name) {
    case 'cloud-node-controller':
      return new NodeController({
        ...shared,
        ...settings.nodeController,
        settings: settings.nodeSettings,
      });
    case 'cloud-node-lifecycle-controller': {
      const { monitorPeriodMs, ...rules } = settings.lifecycle;
      const { lease } = settings.election;
      const { leaseClient } = parts;
      const brake = { settings: rules, lease, leaseClient };
      return new NodeLifecycleController({ ...shared, ...brake, monitorPeriodMs });
    }
  }
}
