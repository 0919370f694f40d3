/**
 * When a node is looked at again. The delay of an unchanged node grows from one pass to a minute. A
 * doubtful node is looked at in every pass, so that the next answer refutes a single wrong one. A
 * node that must change first is looked at when it changes, or after a minute.
 */
import type { LifecycleOutcome } from '@tandem/core/lifecycle';
import type { WatchedNode } from './lifecycle-state.ts';

export const lookMsMax = 60_000;

/**
 * Absences further apart than this are not consecutive: three times the longest pause between two looks,
 * or between two passes if that is longer.
 */
export function gapMsMax(monitorPeriodMs: number): number {
  return 3 * Math.max(lookMsMax, monitorPeriodMs);
}

/** Postpones a node after a look at it. */
export function putOff(
  watched: WatchedNode,
  outcome: LifecycleOutcome['kind'],
  times: {
    readonly lookedAtMs: number;
    readonly monitorPeriodMs: number;
    /** The delay that the cloud asked for. */
    readonly retryAfterMs: number;
  },
): void {
  watched.repeats = watched.lastOutcome === outcome ? watched.repeats + 1 : 0;
  watched.lastOutcome = outcome;
  watched.isParked = outcome === 'leftAlone';
  const pauseMs = Math.max(pauseMsAfter(watched, times.monitorPeriodMs), times.retryAfterMs);
  watched.dueMs = times.lookedAtMs + pauseMs;
}

function pauseMsAfter({ lastOutcome, repeats }: WatchedNode, monitorPeriodMs: number): number {
  switch (lastOutcome) {
    case 'lookup':
    case 'doubtful':
    case undefined:
      return 0;
    case 'leftAlone':
    case 'notOurs':
      return lookMsMax;
    case 'ready':
    case 'unknown':
    case 'present':
    case 'gone':
      return Math.min(monitorPeriodMs * 2 ** Math.min(repeats, doublingsMax), lookMsMax);
  }
}

/** After so many doublings every period has reached the longest pause. */
const doublingsMax = 16;
