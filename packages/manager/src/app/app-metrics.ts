/** The metrics of the manager itself, under upstream's names. */
import type { MetricDeclaration, Metrics } from '@tandem/runtime';
import type { ControllerName } from '../settings/index.ts';

export const runningManagedControllers: MetricDeclaration<'name' | 'manager'> = {
  name: 'running_managed_controllers',
  help: 'Indicates where instances of a controller are currently running',
  stability: 'BETA',
  labels: ['name', 'manager'],
};

/** Upstream reports its controllers under their short names here. */
const shortNames: Readonly<Record<ControllerName, string>> = {
  'cloud-node-controller': 'cloud-node',
  'cloud-node-lifecycle-controller': 'cloud-node-lifecycle',
};

export interface RunningMetrics {
  set(name: ControllerName, isRunning: 0 | 1): void;
}

export function runningMetrics(metrics: Metrics): RunningMetrics {
  const gauge = metrics.gauge(runningManagedControllers);
  return {
    set: (name, isRunning) =>
      gauge.set({ name: shortNames[name], manager: 'cloud-controller-manager' }, isRunning),
  };
}
