/**
 * Whether a process runs, stands still for a while, or is dead. What reaches it while it stands still, timers and
 * answers alike, reaches it when it goes on, in the order in which it came; time has passed by then. What reaches a
 * dead process has no effect.
 */
import type { Clock } from '@tandem/runtime';

export class ProcessLife {
  /** As the process sees it. */
  readonly clock: Clock;
  readonly #clock: Clock;
  readonly #end = new AbortController();
  #isPaused = false;
  #held: (() => void)[] = [];

  constructor(clock: Clock) {
    this.#clock = clock;
    this.clock = {
      now: () => clock.now(),
      monotonic: () => clock.monotonic(),
      after: (delayMs, callback) => {
        let isCancelled = false;
        const timer = clock.after(delayMs, () =>
          this.reach(() => {
            if (!isCancelled) callback();
          }),
        );
        const cancel = (): void => {
          isCancelled = true;
          timer.cancel();
        };
        return { cancel };
      },
    };
  }

  get isAlive(): boolean {
    return !this.#end.signal.aborted;
  }

  get isPaused(): boolean {
    return this.#isPaused;
  }

  /** Aborts when it dies. */
  get signal(): AbortSignal {
    return this.#end.signal;
  }

  kill(): void {
    this.#held = [];
    this.#end.abort(new Error('killed'));
  }

  pause(forMs: number): void {
    if (!this.isAlive || this.#isPaused) return;
    this.#isPaused = true;
    this.#clock.after(forMs, () => this.resume());
  }

  resume(): void {
    if (!this.#isPaused) return;
    this.#isPaused = false;
    const held = this.#held;
    this.#held = [];
    for (const callback of held) this.#clock.after(0, () => this.reach(callback));
  }

  /** Calls back now, when the process goes on, or never. */
  reach(callback: () => void): void {
    if (!this.isAlive) return;
    if (this.#isPaused) this.#held.push(callback);
    else callback();
  }

  /** Resolves once the process runs, which may be never. */
  awake(): Promise<void> {
    return new Promise((resolve) => this.reach(resolve));
  }
}
