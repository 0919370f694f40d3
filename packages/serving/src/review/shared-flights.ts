/**
 * One question at a time: whoever asks what is being asked already waits for that answer, and leaves
 * when it does not want to wait any longer; the question goes on for the others.
 */
import { type Clock, withDeadline } from '@tandem/runtime';

export class SharedFlights<T> {
  readonly #clock: Clock;
  readonly #flights = new Map<string, Promise<T>>();

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  /** The answer to the question of this key. Rejects as `ask` does, or when `limitMs` have passed. */
  async run(
    key: string,
    { limitMs, ask }: { readonly limitMs: number; readonly ask: () => Promise<T> },
  ): Promise<T> {
    const flight = this.#flights.get(key) ?? this.#start(key, ask);
    return withDeadline({ clock: this.#clock, limitMs }, () => flight);
  }

  #start(key: string, ask: () => Promise<T>): Promise<T> {
    const flight = ask().finally(() => this.#flights.delete(key));
    // Nobody may be left to hear of a failure.
    flight.catch(() => undefined);
    this.#flights.set(key, flight);
    return flight;
  }
}
