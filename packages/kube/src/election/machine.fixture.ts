/**
 * A machine with a process on it, in virtual time: its monotonic clock runs a little fast or slow, its
 * wall clock can jump, the process can be paused (its clocks go on), the machine suspended (its
 * monotonic clock stands still), and the process killed. What falls due meanwhile comes afterwards.
 */
import type { Clock, Timer } from '@tandem/runtime';

export class Machine implements Clock {
  readonly #world: Clock;
  /** How many milliseconds its monotonic clock counts in one. */
  readonly rate: number;
  readonly #late: (() => void)[] = [];
  #wallOffsetMs = 0;
  #sleptMs = 0;
  #state: 'running' | 'paused' | 'suspended' | 'dead' = 'running';
  #suspendedAtMs = 0;

  constructor(world: Clock, { rate = 1 }: { rate?: number } = {}) {
    this.#world = world;
    this.rate = rate;
  }

  get isDead(): boolean {
    return this.#state === 'dead';
  }

  get isRunning(): boolean {
    return this.#state === 'running';
  }

  now(): number {
    return this.#world.now() + this.#wallOffsetMs;
  }

  monotonic(): number {
    const untilMs = this.#state === 'suspended' ? this.#suspendedAtMs : this.#world.monotonic();
    return (untilMs - this.#sleptMs) * this.rate;
  }

  after(delayMs: number, callback: () => void): Timer {
    const dueMs = this.monotonic() + Math.max(delayMs, 0);
    let isCancelled = false;
    let timer: Timer;
    const arm = (): void => {
      const remainingMs = (dueMs - this.monotonic()) / this.rate;
      timer = this.#world.after(Math.max(remainingMs, 0), () => this.deliver(fire));
    };
    const fire = (): void => {
      if (isCancelled) return;
      // A machine that was suspended has its time still to come; a rounding error is not that.
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

  /** Runs something in the process: now, after it goes on, or never. */
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
    this.#suspendedAtMs = this.#world.monotonic();
    this.#state = 'suspended';
  }

  resume(): void {
    if (this.#state === 'suspended') this.#sleptMs += this.#world.monotonic() - this.#suspendedAtMs;
    if (this.#state === 'dead') return;
    this.#state = 'running';
    // One at a time, each with the promises that it settles, as an event loop does it.
    for (const callback of this.#late.splice(0)) {
      this.#world.after(0, () => this.deliver(callback));
    }
  }

  kill(): void {
    this.#state = 'dead';
    this.#late.length = 0;
  }
}
