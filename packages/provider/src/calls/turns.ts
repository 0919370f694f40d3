/**
 * Lets answers of a cloud through one in a turn of the event loop. The parser of an SDK takes a large answer in
 * one go, for tens of milliseconds and many times its size in memory; answers that arrive together would
 * otherwise block everything else for the sum of their times, and be in memory all at once.
 */
import { afterTurn } from '@tandem/runtime';

export class Turns {
  #last: Promise<void> = Promise.resolve();

  /** Resolves in a turn that no other caller has. */
  next(): Promise<void> {
    this.#last = this.#last.then(() => new Promise<void>((resolve) => afterTurn(resolve)));
    return this.#last;
  }
}
