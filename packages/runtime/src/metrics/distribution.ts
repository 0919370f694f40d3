/** What was observed under one set of labels: how much fell below each bound, and all of it together. */
import type { Sample } from './exposition.ts';
import type { LabelPairs } from './series.ts';

export class Distribution {
  readonly #bounds: readonly number[];
  /** Above the bound before and up to this one; the last is for what is above all of them. */
  readonly #counts: number[];
  #sum = 0;

  constructor(bounds: readonly number[]) {
    this.#bounds = bounds;
    this.#counts = Array.from({ length: bounds.length + 1 }, () => 0);
  }

  add(value: number): void {
    const bounds = this.#bounds;
    let at = 0;
    while (at < bounds.length && !(value <= (bounds[at] ?? 0))) at++;
    this.#counts[at] = (this.#counts[at] ?? 0) + 1;
    this.#sum += value;
  }

  samples(name: string, labels: LabelPairs): Sample[] {
    const samples: Sample[] = [];
    let total = 0;
    for (const [at, count] of this.#counts.entries()) {
      total += count;
      const bound = String(this.#bounds[at] ?? '+Inf');
      samples.push({ name: `${name}_bucket`, labels: [['le', bound], ...labels], value: total });
    }
    samples.push({ name: `${name}_sum`, labels, value: this.#sum });
    samples.push({ name: `${name}_count`, labels, value: total });
    return samples;
  }
}
