/**
 * When a node is looked at again. What stays as it is is looked at less and less often, from every pass
 * to every minute; a doubt is followed up in every pass, so that a single wrong answer is refuted by the
 * next; what waits for the node itself to change is not looked at until it does, or a minute has passed.
 */
import type { LifecycleOutcome } from '@tandem/core/lifecycle';
import type { WatchedNode } from './watched-node.ts';

export const lookMsMax = 60_000;

/**
 * Absences further apart than this are not taken for a row: three times the longest pause between two
 * looks, or between two passes where these are rarer.
 */
export function gapMsMax(monitorPeriodMs: number): number {
  return 3 * Math.max(lookMsMax, monitorPeriodMs);
}

/** Puts a node off after a look at it that began then. */
export function putOff(
  watched: WatchedNode,
  outcome: LifecycleOutcome['kind'],
  times: {
    readonly lookedAtMs: number;
    readonly monitorPeriodMs: number;
    /** What the cloud asked for. */
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

/** Beyond it the longest pause is reached, whatever the period. */
const doublingsMax = 16;
