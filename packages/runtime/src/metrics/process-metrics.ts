/**
 * prom-client's metrics of the process and of Node.js, which dashboards know. They are read at each
 * scrape.
 */
import { collectDefaultMetrics, Registry } from 'prom-client';

/** As the library declares it: these have no stability level. */
export interface ProcessMetric {
  readonly name: string;
  readonly type: string;
  readonly help: string;
}

/**
 * promtool rejects these gauges because they have the suffix of a counter. Other series report the same
 * figures by `type`.
 */
const misnamed = [
  'nodejs_active_resources_total',
  'nodejs_active_handles_total',
  'nodejs_active_requests_total',
];

export function collectProcessMetrics(registry: Registry): void {
  collectDefaultMetrics({ register: registry });
  for (const name of misnamed) registry.removeSingleMetric(name);
}

/** All metrics of the process and of Node.js, for their reference page. */
export function processMetrics(): readonly ProcessMetric[] {
  const registry = new Registry();
  collectProcessMetrics(registry);
  return registry
    .getMetricsAsArray()
    .map(({ name, type, help }) => ({ name, type: String(type), help }));
}
