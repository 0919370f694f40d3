/**
 * A machine with one process, in virtual time. Its monotonic clock may run slightly fast or slow, and its
 * wall clock can jump. The process can be paused (its clocks continue) or killed, and the machine suspended
 * (its monotonic clock stops). What falls due in a pause or suspension runs afterwards.
 */
import type { Clock, Timer } from '@tandem/runtime';

export class Machine implements Clock {
  readonly #outer: Clock;
  /** How many milliseconds its monotonic clock counts in one of the outer clock. */
  readonly rate: number;
  readonly #late: (() => void)[] = [];
  #wallOffsetMs = 0;
  #sleptMs = 0;
  #state: 'running' | 'paused' | 'suspended' | 'dead' = 'running';
  #suspendedAtMs = 0;

  constructor(outer: Clock, { rate = 1 }: { rate?: number } = {}) {
    this.#outer = outer;
    this.rate = rate;
  }

  get isDead(): boolean {
    return this.#state === 'dead';
  }

  get isRunning(): boolean {
    return this.#state === 'running';
  }

  now(): number {
    return this.#outer.now() + this.#wallOffsetMs;
  }

  monotonic(): number {
    const untilMs = this.#state === 'suspended' ? this.#suspendedAtMs : this.#outer.monotonic();
    return (untilMs - this.#sleptMs) * this.rate;
  }

  after(delayMs: number, callback: () => void): Timer {
    const dueMs = this.monotonic() + Math.max(delayMs, 0);
    let isCancelled = false;
    let timer: Timer;
    const arm = (): void => {
      const remainingMs = (dueMs - this.monotonic()) / this.rate;
      timer = this.#outer.after(Math.max(remainingMs, 0), () => this.deliver(fire));
    };
    const fire = (): void => {
      if (isCancelled) return;
      // After a suspension, time is left until the timer is due. A rounding error does not count.
      if (dueMs - this.monotonic() > 0.001) arm();
      else callback();
    };
    arm();
    return {
      cancel: () => {
        isCancelled = true;
        timer.cancel();
      },
    };
  }

  /** Runs a callback in the process: now, after it resumes, or never. */
  deliver(callback: () => void): void {
    if (this.#state === 'running') callback();
    else if (this.#state !== 'dead') this.#late.push(callback);
  }

  jumpWallClock(byMs: number): void {
    this.#wallOffsetMs += byMs;
  }

  pause(): void {
    if (this.#state === 'running') this.#state = 'paused';
  }

  suspend(): void {
    if (this.#state !== 'running') return;
    this.#suspendedAtMs = this.#outer.monotonic();
    this.#state = 'suspended';
  }

  resume(): void {
    if (this.#state === 'suspended') this.#sleptMs += this.#outer.monotonic() - this.#suspendedAtMs;
    if (this.#state === 'dead') return;
    this.#state = 'running';
    // One at a time, each with the promises that it settles, as in an event loop.
    for (const callback of this.#late.splice(0)) {
      this.#outer.after(0, () => this.deliver(callback));
    }
  }

  kill(): void {
    this.#state = 'dead';
    this.#late.length = 0;
  }
}
