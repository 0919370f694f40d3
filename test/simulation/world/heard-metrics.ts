/**
 * The metrics of a manager, of which a world hears one alone: what it says of refused nodes. Nobody
 * scrapes the others here, and to keep them would take some hundredths of a world's time.
 */
import { refusedNodes } from '@tandem/controllers/node';
import type { Metrics } from '@tandem/runtime';

export interface HeardMetrics extends Metrics {
  /** What `tandem_refused_nodes` was last set to, by code. */
  readonly refused: ReadonlyMap<string, number>;
}

export function heardMetrics(): HeardMetrics {
  const refused = new Map<string, number>();
  const set = (labels: number | Readonly<Record<string, string>>, value = 0): void => {
    if (typeof labels !== 'number') refused.set(labels['code'] ?? '', value);
  };
  const heard: Gauge = { ...unheardGauge, set };
  return {
    counter: () => unheardCounter,
    gauge: ({ name }) => (name === refusedNodes.name ? heard : unheardGauge),
    histogram: () => unheardHistogram,
    render: async () => '',
    contentType: 'text/plain',
    refused,
  };
}

type Gauge = ReturnType<Metrics['gauge']>;

const nothing = (): void => {};
const unheardCounter: ReturnType<Metrics['counter']> = {
  inc: nothing,
  labels: () => unheardCounter,
};
const unheardGauge: Gauge = {
  set: nothing,
  labels: () => unheardGauge,
  remove: nothing,
};
const unheardHistogram: ReturnType<Metrics['histogram']> = {
  observe: nothing,
  labels: () => unheardHistogram,
};
