/**
 * Which nodes are looked up again although nothing happened to them, at two paces. Young nodes whose
 * instance is not found: clouds show a new machine a little later than it shows itself. And whoever is
 * refused, once a minute: somebody may have put it right in the cloud. All of a pace are asked about at
 * once, so that they share calls; while there are none there is no timer.
 */
import type { Clock, Timer } from '@tandem/runtime';

export type Pace = 'fast' | 'slow';

const periodsMs: Readonly<Record<Pace, number>> = { fast: 5_000, slow: 60_000 };

export class Polls {
  readonly #clock: Clock;
  readonly #onDue: (name: string) => void;
  readonly #names = { fast: new Set<string>(), slow: new Set<string>() };
  readonly #timers: Partial<Record<Pace, Timer>> = {};

  constructor(clock: Clock, onDue: (name: string) => void) {
    this.#clock = clock;
    this.#onDue = onDue;
  }

  get size(): number {
    return this.#names.fast.size + this.#names.slow.size;
  }

  /** Of a node the last word counts. */
  set(name: string, pace: Pace | undefined): void {
    if (pace !== 'fast') this.#names.fast.delete(name);
    if (pace !== 'slow') this.#names.slow.delete(name);
    if (pace === undefined) return;
    this.#names[pace].add(name);
    this.#timers[pace] ??= this.#start(pace);
  }

  stop(): void {
    for (const timer of Object.values(this.#timers)) timer.cancel();
    this.#names.fast.clear();
    this.#names.slow.clear();
  }

  #start(pace: Pace): Timer {
    return this.#clock.after(periodsMs[pace], () => {
      Reflect.deleteProperty(this.#timers, pace);
      const names = this.#names[pace];
      if (names.size === 0) return;
      this.#timers[pace] = this.#start(pace);
      for (const name of names) this.#onDue(name);
    });
  }
}
