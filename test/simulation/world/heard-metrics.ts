/**
 * The metrics of a manager, of which a world hears a few: what it says of refused nodes and of pod CIDRs. Nobody
 * scrapes the others here, and to keep them would take some hundredths of a world's time.
 */
import { nodeMetricTable } from '@tandem/controllers/node';
import { ipamMetricTable } from '@tandem/controllers/node-ipam';
import type { Metrics } from '@tandem/runtime';

export interface HeardMetrics extends Metrics {
  /** What a gauge was last set to, by the values of its labels with blanks between them. */
  readingsOf(metric: { readonly name: string }): ReadonlyMap<string, number>;
}

const { poolBlocks, waitingNodes, podCIDRProblems } = ipamMetricTable;
const heard = [nodeMetricTable.refusedNodes, poolBlocks, waitingNodes, podCIDRProblems];

export function heardMetrics(): HeardMetrics {
  const readings = new Map<string, Map<string, number>>(heard.map(({ name }) => [name, new Map()]));
  return {
    counter: () => unheardCounter,
    gauge: ({ name }) => {
      const own = readings.get(name);
      return own === undefined ? unheardGauge : gaugeOf(own);
    },
    histogram: () => unheardHistogram,
    render: async () => '',
    contentType: 'text/plain',
    readingsOf: ({ name }) => readings.get(name) ?? new Map(),
  };
}

type Gauge = ReturnType<Metrics['gauge']>;

function gaugeOf(readings: Map<string, number>): Gauge {
  const set = (labels: number | Readonly<Record<string, string>>, value = 0): void => {
    if (typeof labels === 'number') readings.set('', labels);
    else readings.set(Object.values(labels).join(' '), value);
  };
  const labels = (values: Readonly<Record<string, string>>): { set(value: number): void } => ({
    set: (value) => set(values, value),
  });
  return { ...unheardGauge, set, labels };
}

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
