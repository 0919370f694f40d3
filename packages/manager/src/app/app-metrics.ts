/** The metrics of the manager itself, under upstream's names. */
import type { MetricDeclaration, Metrics } from '@tandem/runtime';

export const runningManagedControllers: MetricDeclaration<'name' | 'manager'> = {
  name: 'running_managed_controllers',
  help: 'Indicates where instances of a controller are currently running',
  stability: 'BETA',
  labels: ['name', 'manager'],
};

export interface RunningMetrics {
  /** Upstream reports its controllers under their aliases here. */
  set(alias: string, isRunning: 0 | 1): void;
}

export function runningMetrics(metrics: Metrics): RunningMetrics {
  const gauge = metrics.gauge(runningManagedControllers);
  return {
    set: (alias, isRunning) =>
      gauge.set({ name: alias, manager: 'cloud-controller-manager' }, isRunning),
  };
}
