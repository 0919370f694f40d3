/**
 * What has been tried for the routes of one node since they were last all there. A missing route in a list is
 * no proof that the network of a node is unavailable; a cloud that does not let us create the route is.
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
 * What became of one operation on a route to the node. `refused` is the cloud's own refusal: an operation
 * that was throttled has `failed`, and one that was not sent is left out.
 */
export type RouteAttempt = 'applied' | 'refused' | 'failed';

/**
 * After the operations of one plan. However many of them failed, it is one failure: all routes of a node are in
 * one batch, and one lost answer must not count for two.
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

/** After a plan. A route that a plan cannot create because the cloud would refuse it counts as failed. */
export function withVerdict(history: RouteHistory, verdict: RouteVerdict): RouteHistory {
  if (verdict.kind === 'available') return { ...noRouteHistory, lastWriteMs: history.lastWriteMs };
  const isBlocked = verdict.kind === 'unavailable' && verdict.isBlocked;
  return isBlocked ? { ...history, failures: history.failures + 1 } : history;
}
