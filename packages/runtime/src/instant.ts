/**
 * A moment on both clocks. A machine that is suspended stops the monotonic one, and the wall clock may
 * be set back: the longer of the two is how long something may have been going on unseen.
 */
import type { Clock } from './clock.ts';

export interface Instant {
  readonly monotonicMs: number;
  readonly wallMs: number;
}

export function instantOf(clock: Clock): Instant {
  return { monotonicMs: clock.monotonic(), wallMs: clock.now() };
}

export function sinceMs(clock: Clock, { monotonicMs, wallMs }: Instant): number {
  return Math.max(clock.monotonic() - monotonicMs, clock.now() - wallMs);
}
