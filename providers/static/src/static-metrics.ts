/** The metrics of the inventory, declared as data. They show whether the current file is in use. */
import type { MetricDeclaration, Metrics } from '@tandem/runtime';

export const inventoryInstances: MetricDeclaration<never> = {
  name: 'tandem_static_inventory_instances',
  help: 'Valid instances in the inventory.',
  stability: 'ALPHA',
  labels: [],
};

export const inventoryRefusedEntries: MetricDeclaration<never> = {
  name: 'tandem_static_inventory_refused_entries',
  help: 'Inventory entries that were refused. The log names their lines.',
  stability: 'ALPHA',
  labels: [],
};

export const inventoryIsStale: MetricDeclaration<never> = {
  name: 'tandem_static_inventory_is_stale',
  help: '1 while the inventory file cannot be read or is invalid and the last good inventory stays in use.',
  stability: 'ALPHA',
  labels: [],
};

export interface StaticMetrics {
  took(counts: { readonly instances: number; readonly refused: number }): void;
  isStale(stale: boolean): void;
}

export function staticMetrics(metrics: Metrics): StaticMetrics {
  const instancesGauge = metrics.gauge(inventoryInstances);
  const refusedGauge = metrics.gauge(inventoryRefusedEntries);
  const staleGauge = metrics.gauge(inventoryIsStale);
  return {
    took({ instances, refused }) {
      instancesGauge.set(instances);
      refusedGauge.set(refused);
    },
    isStale: (stale) => staleGauge.set(stale ? 1 : 0),
  };
}
