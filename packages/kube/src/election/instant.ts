/**
 * One moment on both clocks. The monotonic one measures; the wall clock beside it tells when the
 * monotonic one stood still, as it does while a machine is suspended.
 */
import type { Clock } from '@tandem/runtime';

export interface Instant {
  readonly monotonicMs: number;
  readonly wallMs: number;
}

export function instantOf(clock: Clock): Instant {
  return { monotonicMs: clock.monotonic(), wallMs: clock.now() };
}
