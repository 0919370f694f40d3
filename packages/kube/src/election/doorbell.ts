/**
 * A wait that a ring cuts short. A ring without a waiter is kept for the next wait, because it may
 * announce something newer than what is being read at that moment.
 */
import type { Clock } from '@tandem/runtime';

export class Doorbell {
  #hasRung = false;
  #wake: (() => void) | undefined;

  ring(): void {
    this.#hasRung = true;
    this.#wake?.();
  }

  /** Resolves at the next ring, after `limitMs`, or when the signal aborts; never rejects. */
  async wait(clock: Clock, limitMs: number, signal: AbortSignal): Promise<void> {
    if (!this.#hasRung && !signal.aborted) {
      const { promise, resolve } = Promise.withResolvers<void>();
      const wake = (): void => resolve();
      const timer = clock.after(limitMs, wake);
      signal.addEventListener('abort', wake);
      this.#wake = wake;
      await promise;
      signal.removeEventListener('abort', wake);
      timer.cancel();
      this.#wake = undefined;
    }
    this.#hasRung = false;
  }
}
