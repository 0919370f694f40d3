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

/** Asked twice with the same declaration it gives the same metric; a name has one declaration. */
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
  const counters = new Map<object, Counter>();
  const gauges = new Map<object, Gauge>();
  const histograms = new Map<object, Histogram>();
  const settings = <Label extends string>(declaration: MetricDeclaration<Label>) => ({
    name: declaration.name,
    help: `[${declaration.stability}] ${declaration.help}`,
    labelNames: [...declaration.labels],
    registers: [registry],
  });
  return {
    counter: (declaration) => once(counters, declaration, () => new Counter(settings(declaration))),
    gauge: (declaration) => once(gauges, declaration, () => new Gauge(settings(declaration))),
    histogram: (declaration) =>
      once(histograms, declaration, () => {
        const buckets = [...declaration.buckets];
        return new Histogram({ ...settings(declaration), buckets });
      }),
    render: () => registry.metrics(),
    contentType: registry.contentType,
  };
}

/** What was made of a declaration already: who leads a second time counts on. */
function once<T>(made: Map<object, T>, declaration: object, make: () => T): T {
  const known = made.get(declaration) ?? make();
  made.set(declaration, known);
  return known;
}
