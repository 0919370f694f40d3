/**
 * Metrics: prom-client on a registry of its own, never the global one, so that two managers can run
 * in one process. Each metric is declared once as data; its stability level stands at the head of
 * its help text, as in Kubernetes' own components.
 */
import { Counter, Gauge, Histogram, Registry } from 'prom-client';

export type Stability = 'ALPHA' | 'BETA' | 'STABLE';

export interface MetricDeclaration<Label extends string> {
  readonly name: string;
  readonly help: string;
  readonly stability: Stability;
  /** Bounded ones only: never the name of a node. */
  readonly labels: readonly Label[];
}

export interface HistogramDeclaration<Label extends string> extends MetricDeclaration<Label> {
  readonly buckets: readonly number[];
}

export interface Metrics {
  counter<Label extends string>(declaration: MetricDeclaration<Label>): Counter<Label>;
  gauge<Label extends string>(declaration: MetricDeclaration<Label>): Gauge<Label>;
  histogram<Label extends string>(declaration: HistogramDeclaration<Label>): Histogram<Label>;
  /** The text exposition format, and the content type that it is served with. */
  render(): Promise<string>;
  readonly contentType: string;
}

export function createMetrics(): Metrics {
  const registry = new Registry();
  const settings = <Label extends string>(declaration: MetricDeclaration<Label>) => ({
    name: declaration.name,
    help: `[${declaration.stability}] ${declaration.help}`,
    labelNames: [...declaration.labels],
    registers: [registry],
  });
  return {
    counter: (declaration) => new Counter(settings(declaration)),
    gauge: (declaration) => new Gauge(settings(declaration)),
    histogram: (declaration) =>
      new Histogram({ ...settings(declaration), buckets: [...declaration.buckets] }),
    render: () => registry.metrics(),
    contentType: registry.contentType,
  };
}
