/**
 * Metrics: prom-client with its own registry, never the global one, so that two managers can run in one
 * process. Each metric is declared once as data. Its help text begins with its stability level, as in
 * Kubernetes' own components.
 */
import {
  Counter as PromCounter,
  Gauge as PromGauge,
  Histogram as PromHistogram,
  Registry,
} from 'prom-client';
import { collectProcessMetrics } from './process-metrics.ts';

export type LabelValues<Label extends string> = Readonly<Record<Label, string>>;

export type Stability = 'ALPHA' | 'BETA' | 'STABLE';

export interface MetricDeclaration<Label extends string> {
  readonly name: string;
  readonly help: string;
  readonly stability: Stability;
  /** Bounded ones only: never the name of a node. */
  readonly labels: readonly Label[];
}

export interface HistogramDeclaration<Label extends string> extends MetricDeclaration<Label> {
  /** Upper bounds in ascending order. Infinity is implied. */
  readonly buckets: readonly number[];
}

export type AnyMetric = MetricDeclaration<string> | HistogramDeclaration<string>;

/** A metric without labels, or one series of one that has some. */
export interface PlainCounter {
  inc(by?: number): void;
}

export interface Counter<Label extends string> extends PlainCounter {
  inc(labels: LabelValues<Label>, by?: number): void;
  inc(by?: number): void;
  labels(labels: LabelValues<Label>): PlainCounter;
}

export interface PlainGauge {
  set(value: number): void;
}

export interface Gauge<Label extends string> extends PlainGauge {
  set(labels: LabelValues<Label>, value: number): void;
  set(value: number): void;
  labels(labels: LabelValues<Label>): PlainGauge;
  /** Shows nothing until it is set again. */
  remove(): void;
}

export interface PlainHistogram {
  observe(value: number): void;
}

export interface Histogram<Label extends string> extends PlainHistogram {
  observe(labels: LabelValues<Label>, value: number): void;
  observe(value: number): void;
  labels(labels: LabelValues<Label>): PlainHistogram;
}

/** The same declaration gives the same metric. A name has one declaration. */
export interface Metrics {
  counter<Label extends string>(declaration: MetricDeclaration<Label>): Counter<Label>;
  gauge<Label extends string>(declaration: MetricDeclaration<Label>): Gauge<Label>;
  histogram<Label extends string>(declaration: HistogramDeclaration<Label>): Histogram<Label>;
  /** The text exposition format, and the content type that it is served with. */
  render(): Promise<string>;
  readonly contentType: string;
}

export interface MetricsOptions {
  /** Whether to include prom-client's metrics of the process and of Node.js. */
  readonly ofProcess?: boolean;
}

export function createMetrics({ ofProcess = false }: MetricsOptions = {}): Metrics {
  const registry = new Registry();
  if (ofProcess) collectProcessMetrics(registry);
  const counters = new Map<object, Counter<string>>();
  const gauges = new Map<object, Gauge<string>>();
  const histograms = new Map<object, PromHistogram>();
  const settings = ({ name, help, stability, labels }: MetricDeclaration<string>) => ({
    name,
    help: `[${stability}] ${help}`,
    labelNames: [...labels],
    registers: [registry],
  });
  return {
    counter: (declared) =>
      once(counters, declared, () => counterOf(new PromCounter(settings(declared)))),
    gauge: (declared) =>
      once(gauges, declared, () => gaugeOf(new PromGauge(settings(declared)), declared)),
    histogram: (declared) =>
      once(histograms, declared, () => {
        const buckets = [...declared.buckets];
        return new PromHistogram({ ...settings(declared), buckets });
      }),
    render: () => registry.metrics(),
    contentType: registry.contentType,
  };
}

/** Returns the existing metric of a declaration: a process that leads again continues to count. */
function once<T>(made: Map<object, T>, declaration: object, make: () => T): T {
  const known = made.get(declaration) ?? make();
  made.set(declaration, known);
  return known;
}

/** A bound series exists at once with the value zero, as in the Go library. */
function counterOf(counter: PromCounter): Counter<string> {
  return {
    inc: (first?: LabelValues<string> | number, by?: number) =>
      typeof first === 'object' ? counter.inc(first, by) : counter.inc(first),
    labels: (values) => {
      counter.inc(values, 0);
      return counter.labels(values);
    },
  };
}

/** The library removes one series by its labels; ours removes all series. */
function gaugeOf(gauge: PromGauge, { labels }: MetricDeclaration<string>): Gauge<string> {
  return {
    set: (first: LabelValues<string> | number, value?: number) =>
      typeof first === 'number' ? gauge.set(first) : gauge.set(first, value ?? 0),
    labels: (values) => {
      gauge.inc(values, 0);
      return gauge.labels(values);
    },
    remove: () => (labels.length === 0 ? gauge.remove({}) : gauge.reset()),
  };
}
