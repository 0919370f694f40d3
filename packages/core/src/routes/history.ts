/**
 * The attempts to change the routes of one node since the node last had all of them. A route that
 * is missing in a list does not prove that the network of the node is unavailable, but a failed
 * creation does.
 */
import type { RouteVerdict } from './verdict.ts';

export interface RouteHistory {
  /** When the last operation on a route to the node ended, on the clock of the lists' `asOfMs`. */
  readonly lastWriteMs: number | undefined;
  readonly refusals: number;
  /** Rounds with an operation whose outcome is unknown, or that were blocked. */
  readonly failures: number;
}

export const noRouteHistory: RouteHistory = { lastWriteMs: undefined, refusals: 0, failures: 0 };

/**
 * The result of one operation on a route to the node. `refused` is the cloud's own refusal: a
 * throttled operation has `failed`, and an operation that was not sent is left out.
 */
export type RouteAttempt = 'applied' | 'refused' | 'failed';

/**
 * Returns the history after the operations of one plan. Any number of failures counts as one: all
 * routes of a node are in one batch, and one lost answer must not count twice.
 */
export function withAttempts(
  history: RouteHistory,
  {
    attempts,
    endedAtMs,
  }: { readonly attempts: readonly RouteAttempt[]; readonly endedAtMs: number },
): RouteHistory {
  if (attempts.length === 0) return history;
  return {
    lastWriteMs: endedAtMs,
    refusals: history.refusals + (attempts.includes('refused') ? 1 : 0),
    failures: history.failures + (attempts.includes('failed') ? 1 : 0),
  };
}

/** Returns the history after a plan. A route that the plan cannot create counts as a failure. */
export function withVerdict(history: RouteHistory, verdict: RouteVerdict): RouteHistory {
  if (verdict.kind === 'available') return { ...noRouteHistory, lastWriteMs: history.lastWriteMs };
  const isBlocked = verdict.kind === 'unavailable' && verdict.isBlocked;
  return isBlocked ? { ...history, failures: history.failures + 1 } : history;
}
