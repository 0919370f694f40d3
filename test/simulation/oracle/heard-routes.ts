/** What one process was told about routes and what it tried, as its cloud knows it. */
import type { RouteListing, RouteOutcome } from '@tandem/provider/plug';

export class HeardRoutes {
  /** Lists that it was given, the newest last. */
  readonly listings: RouteListing[] = [];
  /** How far its cache of nodes had come when it last began to list: it decides on that, or on more. */
  seenVersion = 0;
  /** When the last change of each destination had ended; never, as long as one is under way. */
  readonly #endedAtMs = new Map<string, number>();
  /** The destinations that it was refused a change of, and after how many lists. */
  readonly #refused = new Map<string, number>();
  /** After how many lists a change of each destination has failed. */
  readonly #failed = new Map<string, Set<number>>();

  began(destination: string): void {
    this.#endedAtMs.set(destination, Number.POSITIVE_INFINITY);
  }

  /** Undefined where there was no answer. */
  ended(destination: string, outcome: RouteOutcome | undefined, atMs: number): void {
    this.#endedAtMs.set(destination, atMs);
    if (outcome?.kind === 'applied') return;
    const round = this.listings.length;
    // Being told to wait is no refusal.
    const isRefused = outcome?.kind === 'refused' && !asksToWait(outcome);
    if (isRefused) this.#refused.set(destination, round);
    const rounds = this.#failed.get(destination) ?? new Set<number>();
    this.#failed.set(destination, rounds.add(round));
  }

  endedAtMs(destination: string): number {
    return this.#endedAtMs.get(destination) ?? 0;
  }

  hasFailed(destination: string): boolean {
    return this.#failed.has(destination);
  }

  /** Whether a change was refused after that many lists. */
  wasRefusedAfter(destination: string, round: number): boolean {
    return (this.#refused.get(destination) ?? 0) > round;
  }

  failedRounds(destination: string): ReadonlySet<number> {
    return this.#failed.get(destination) ?? none;
  }
}

const none: ReadonlySet<number> = new Set();

export function asksToWait(outcome: RouteOutcome): boolean {
  if (outcome.kind === 'applied') return false;
  return 'retry' in outcome.err && typeof outcome.err.retry === 'object';
}
