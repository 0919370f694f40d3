/**
 * Metrics of one manager: counters, gauges and histograms that cost a map look-up to touch, and a text for
 * whoever scrapes them. Nothing is global, so that two managers can run in one process. Each metric is
 * declared once as data; its stability level stands at the head of its help text, as in Kubernetes'
 * own components.
 */
import { Distribution } from './distribution.ts';
import { headOf, type Sample, sampleLine } from './exposition.ts';
import { type LabelValues, Series } from './series.ts';

export type Stability = 'ALPHA' | 'BETA' | 'STABLE';

export interface MetricDeclaration<Label extends string> {
  readonly name: string;
  readonly help: string;
  readonly stability: Stability;
  /** Bounded ones only: never the name of a node. */
  readonly labels: readonly Label[];
}

export interface HistogramDeclaration<Label extends string> extends MetricDeclaration<Label> {
  /** Upper bounds, the least first; that of infinity is understood. */
  readonly buckets: readonly number[];
}

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
  const counters = new Map<object, Count>();
  const gauges = new Map<object, Level>();
  const histograms = new Map<object, Spread>();
  const families = new Map<string, Family>();
  const register = <T extends Family>({ name }: { readonly name: string }, family: T): T => {
    if (families.has(name)) throw new Error(`The metric ${name} has already been registered`);
    families.set(name, family);
    return family;
  };
  return {
    counter: (declared) => once(counters, declared, () => register(declared, new Count(declared))),
    gauge: (declared) => once(gauges, declared, () => register(declared, new Level(declared))),
    histogram: (declared) =>
      once(histograms, declared, () => register(declared, new Spread(declared))),
    render: async () => [...families.values()].map((family) => family.render()).join('\n'),
    contentType: 'text/plain; version=0.0.4; charset=utf-8',
  };
}

/** What was made of a declaration already: who leads a second time counts on. */
function once<T>(made: Map<object, T>, declaration: object, make: () => T): T {
  const known = made.get(declaration) ?? make();
  made.set(declaration, known);
  return known;
}

/** All that is known under one name. */
interface Family {
  render(): string;
}

type Declared = MetricDeclaration<string>;
type Labels = LabelValues<string>;

class Count implements Counter<string>, Family {
  readonly #declared: Declared;
  readonly #series: Series<{ value: number }>;

  constructor(declared: Declared) {
    this.#declared = declared;
    this.#series = new Series(declared.labels, () => ({ value: 0 }));
  }

  inc(first: Labels | number = 1, by = 1): void {
    if (typeof first === 'number') this.#series.whole().value += first;
    else this.#series.of(first).value += by;
  }

  labels(labels: Labels): PlainCounter {
    const state = this.#series.of(labels);
    return { inc: (by = 1) => void (state.value += by) };
  }

  render(): string {
    return textOf(this.#declared, 'counter', plainSamples(this.#declared, this.#series));
  }
}

class Level implements Gauge<string>, Family {
  readonly #declared: Declared;
  readonly #series: Series<{ value: number }>;

  constructor(declared: Declared) {
    this.#declared = declared;
    this.#series = new Series(declared.labels, () => ({ value: 0 }));
  }

  set(first: Labels | number, value = 0): void {
    if (typeof first === 'number') this.#series.whole().value = first;
    else this.#series.of(first).value = value;
  }

  labels(labels: Labels): PlainGauge {
    const state = this.#series.of(labels);
    return { set: (value) => void (state.value = value) };
  }

  remove(): void {
    this.#series.clear();
  }

  render(): string {
    return textOf(this.#declared, 'gauge', plainSamples(this.#declared, this.#series));
  }
}

class Spread implements Histogram<string>, Family {
  readonly #declared: Declared;
  readonly #series: Series<Distribution>;

  constructor(declared: HistogramDeclaration<string>) {
    this.#declared = declared;
    this.#series = new Series(declared.labels, () => new Distribution(declared.buckets));
  }

  observe(first: Labels | number, value = 0): void {
    if (typeof first === 'number') this.#series.whole().add(first);
    else this.#series.of(first).add(value);
  }

  labels(labels: Labels): PlainHistogram {
    const distribution = this.#series.of(labels);
    return { observe: (value) => distribution.add(value) };
  }

  render(): string {
    const { name } = this.#declared;
    const samples = this.#series.list().flatMap(({ labels, state }) => state.samples(name, labels));
    return textOf(this.#declared, 'histogram', samples);
  }
}

function plainSamples({ name }: Declared, series: Series<{ value: number }>): Sample[] {
  return series.list().map(({ labels, state }) => ({ name, labels, value: state.value }));
}

function textOf(declared: Declared, type: string, samples: readonly Sample[]): string {
  const { name, help, stability } = declared;
  const head = headOf({ name, help: `[${stability}] ${help}`, type });
  return `${head}${samples.map(sampleLine).join('')}`;
}
