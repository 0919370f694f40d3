/**
 * Notices that a stream has gone silent. Its signal aborts when the stream sends nothing for the allowed
 * time, when the parent signal aborts, and on disposal, so that an abandoned stream is closed. It has one
 * timer, which is set again only when it fires.
 */
import { type Clock, DeadlineExceededError, type Timer } from '@tandem/runtime';

export class Silence implements Disposable {
  readonly #clock: Clock;
  readonly #parent: AbortSignal;
  readonly #controller = new AbortController();
  readonly #onParent = (): void => this.#controller.abort(this.#parent.reason);
  #allowedMs: number;
  #heardMs: number;
  #timer: Timer;
  #isBroken = false;

  constructor(clock: Clock, parent: AbortSignal, allowedMs: number) {
    this.#clock = clock;
    this.#parent = parent;
    this.#allowedMs = allowedMs;
    this.#heardMs = clock.monotonic();
    this.#timer = this.#arm(allowedMs);
    if (parent.aborted) this.#onParent();
    parent.addEventListener('abort', this.#onParent, { once: true });
  }

  get signal(): AbortSignal {
    return this.#controller.signal;
  }

  /** Whether the stream was silent for too long. */
  get isBroken(): boolean {
    return this.#isBroken;
  }

  /** The stream sent something, at this time of the monotonic clock. */
  heard(nowMs: number): void {
    this.#heardMs = nowMs;
  }

  /** Changes the allowed silence from now on. */
  allow(allowedMs: number): void {
    this.#allowedMs = allowedMs;
    this.heard(this.#clock.monotonic());
    this.#timer.cancel();
    this.#timer = this.#arm(allowedMs);
  }

  [Symbol.dispose](): void {
    this.#timer.cancel();
    this.#parent.removeEventListener('abort', this.#onParent);
    this.#controller.abort();
  }

  #arm(delayMs: number): Timer {
    return this.#clock.after(delayMs, () => {
      const leftMs = this.#heardMs + this.#allowedMs - this.#clock.monotonic();
      if (leftMs > 0) {
        // Rounded up: a fraction that rounding leaves over would otherwise set the timer again without end.
        this.#timer = this.#arm(Math.ceil(leftMs));
        return;
      }
      this.#isBroken = true;
      this.#controller.abort(new DeadlineExceededError(this.#allowedMs));
    });
  }
}
