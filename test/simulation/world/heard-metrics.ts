/**
 * The metrics of a manager, with one ear on what it says of refused nodes: the whole text, as a scrape
 * gives it, would take a good part of a world's time.
 */
import { refusedNodes } from '@tandem/controllers/node';
import { createMetrics, type Metrics } from '@tandem/runtime';

export interface HeardMetrics extends Metrics {
  /** What `tandem_refused_nodes` was last set to, by code. */
  readonly refused: ReadonlyMap<string, number>;
}

export function heardMetrics(): HeardMetrics {
  const metrics = createMetrics();
  const refused = new Map<string, number>();
  const gauge: Metrics['gauge'] = (declaration) => {
    const own = metrics.gauge(declaration);
    if (declaration.name !== refusedNodes.name) return own;
    const set = (labels: number | Readonly<Record<string, string>>, value = 0): void => {
      if (typeof labels !== 'number') refused.set(labels['code'] ?? '', value);
    };
    return { set, labels: (labels) => own.labels(labels), remove: () => own.remove() };
  };
  return { ...metrics, gauge, refused };
}
