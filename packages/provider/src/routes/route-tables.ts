/**
 * The only access to a cloud's route tables. Listings always come from the cloud; changes are sent
 * in batches. Calls are bounded in size, number, rate and time, and listings and changes wait as
 * long as the cloud asks. This class calls the caller's `beforeWrite` before every batch, and the
 * provider calls it before every request. Neither method rejects. A failure is `unknown` if
 * something may have happened and `notSent` if nothing has; it is never an empty listing (P3). A
 * batch that fails without a delay from the cloud does not hold up the others, because one
 * operation that a provider cannot handle would otherwise block all of them.
 */
import type { Family } from '@tandem/core/ip';
import {
  type CcmError,
  type Clock,
  Limiter,
  type Metrics,
  sleep,
  withDeadline,
} from '@tandem/runtime';
import { CallRate, retryAfterMsMax } from '../calls/index.ts';
import type {
  Provider,
  RouteApplyOptions,
  RouteLimits,
  RouteOperation,
  Routes,
} from '../plug/index.ts';
import { type Batch, batchesOf } from './batches.ts';
import { readFailure, RouteError } from './failure.ts';
import { routeLimitsOf } from './limits.ts';
import type { Listing } from './listing.ts';
import { readListing } from './read-listing.ts';
import { readOutcomes, type SentResult, unknown } from './read-outcomes.ts';
import {
  outcomeOf,
  type RouteCallOutcome,
  type RouteMetrics,
  routeMetrics,
} from './route-metrics.ts';
import { WriteGate } from './write-gate.ts';

export interface RouteTablesOptions {
  readonly provider: Pick<Provider, 'name'>;
  /** The `routes` of the provider. The caller checks that it has them. */
  readonly routes: Routes;
  readonly clock: Clock;
  readonly metrics: Metrics;
}

export type OperationResult =
  | SentResult
  /** Nothing was sent to the cloud. `err.retry` says when to try again. */
  | { readonly kind: 'notSent'; readonly err: CcmError };

/** One `apply` of a caller, with all of its batches. */
interface Run {
  readonly gate: WriteGate;
  readonly signal: AbortSignal;
}

export class RouteTables {
  readonly #name: string;
  readonly #routes: Routes;
  readonly #limits: RouteLimits;
  readonly #clock: Clock;
  readonly #metrics: RouteMetrics;
  readonly #slots: Limiter;
  /** Clouds count reads and writes separately, so neither waits for the other here. */
  readonly #listRate: CallRate;
  readonly #applyRate: CallRate;
  #wait: { readonly untilMs: number; readonly reason: CcmError } | undefined;

  constructor({ provider, routes, clock, metrics }: RouteTablesOptions) {
    this.#name = provider.name;
    this.#routes = routes;
    this.#limits = routeLimitsOf(provider, routes);
    this.#clock = clock;
    this.#metrics = routeMetrics(metrics, provider.name);
    this.#slots = new Limiter({ concurrency: this.#limits.concurrency });
    this.#listRate = new CallRate(clock, this.#limits);
    this.#applyRate = new CallRate(clock, this.#limits);
  }

  /** The families that the cloud can route. */
  get families(): readonly Family[] {
    return this.#routes.families;
  }

  /** The maximum time that changes wait for each other before they are sent. */
  get gatherMsMax(): number {
    return this.#limits.gatherMsMax;
  }

  /** Asks the cloud for all tables. An empty list is an answer; a failure is `unknown`. */
  async list(signal: AbortSignal): Promise<Listing> {
    const refusing = (): CcmError | undefined => this.#callRefusal(signal);
    await this.#takeTurn(this.#listRate, signal, refusing);
    const refusal = refusing();
    if (refusal !== undefined) return { kind: 'unknown', err: refusal };
    const begunAtMs = this.#clock.monotonic();
    const listing = await this.#callList(signal, begunAtMs);
    const isListed = listing.kind === 'listed';
    this.#metrics.called(
      'list',
      isListed ? 'answered' : outcomeOf(listing.err),
      this.#clock.monotonic() - begunAtMs,
    );
    if (!isListed) this.#heed([listing.err]);
    return listing;
  }

  /**
   * Carries out the operations, which have different destinations in a table, and resolves with one
   * result for each, in their order. After `beforeWrite` has thrown, no further operation is sent.
   */
  async apply(
    operations: readonly RouteOperation[],
    { signal, beforeWrite }: RouteApplyOptions,
  ): Promise<readonly OperationResult[]> {
    const run: Run = { gate: new WriteGate(beforeWrite), signal };
    const results = new Map<number, OperationResult>();
    const send = async (batch: Batch): Promise<void> => {
      const sent = await this.#send(batch, run);
      for (const [place, { operation, index }] of batch.entries()) {
        const result = sent[place];
        if (result === undefined) throw new Error('A batch has fewer results than operations');
        this.#metrics.operated(operation.kind, result.kind);
        results.set(index, result);
      }
    };
    await Promise.all(batchesOf(operations, this.#limits.batchSize).map(send));
    return operations.flatMap((_, index) => results.get(index) ?? []);
  }

  async #send(batch: Batch, run: Run): Promise<readonly OperationResult[]> {
    const { signal } = run;
    const refusing = (): CcmError | undefined =>
      this.#callRefusal(signal) ?? this.#writeRefusal(run);
    const notSent = (err: CcmError): readonly OperationResult[] =>
      batch.map(() => ({ kind: 'notSent', err }));
    try {
      return await this.#slots.run(async () => {
        await this.#takeTurn(this.#applyRate, signal, refusing);
        // Nothing waits between this check and the provider, so it still holds when the call begins.
        const refusal = refusing();
        return refusal === undefined ? this.#callApply(batch, run) : notSent(refusal);
      }, signal);
    } catch (err) {
      // The signal aborted before the batch had a slot.
      return notSent(this.#aborted('none', err));
    }
  }

  /** Waits for the rate limit, or until the call is refused. */
  async #takeTurn(
    rate: CallRate,
    signal: AbortSignal,
    refusing: () => CcmError | undefined,
  ): Promise<void> {
    while (refusing() === undefined) {
      const waitMs = rate.waitMs();
      if (waitMs === 0) return rate.take();
      await sleep(this.#clock, waitMs, signal).catch(() => {});
    }
  }

  #callRefusal(signal: AbortSignal): CcmError | undefined {
    if (signal.aborted) return this.#aborted('none', signal.reason);
    if (this.#wait === undefined) return undefined;
    const { untilMs, reason } = this.#wait;
    const afterMs = untilMs - this.#clock.monotonic();
    if (afterMs <= 0) return undefined;
    const message = `Waiting ${Math.ceil(afterMs / 1_000)} s before using the route tables of ${this.#name} again`;
    const facts = { retry: { afterMs }, effect: 'none', cause: reason } as const;
    return new RouteError('RouteCallsThrottled', message, facts);
  }

  #writeRefusal({ gate }: Run): CcmError | undefined {
    const refusal = gate.refusal();
    if (refusal === undefined) return undefined;
    const message = `This process must not change routes of ${this.#name}`;
    return new RouteError('RouteWriteForbidden', message, { effect: 'none', cause: refusal.err });
  }

  async #callList(signal: AbortSignal, begunAtMs: number): Promise<Listing> {
    const name = this.#name;
    const limit = { clock: this.#clock, limitMs: this.#limits.deadlineMs, signal };
    try {
      const value: unknown = await withDeadline(limit, async (limited) =>
        this.#routes.list({ signal: limited }),
      );
      const read = readListing(value, { begunAtMs, nowMs: this.#clock.monotonic() });
      if (read.kind === 'listed') return read;
      const code = read.kind === 'tooOld' ? 'RouteListingTooOld' : 'RouteListingMalformed';
      const message = `${name} returned an invalid list of routes: ${read.problem}`;
      return { kind: 'unknown', err: new RouteError(code, message, { effect: 'none' }) };
    } catch (err) {
      const failure = signal.aborted
        ? this.#aborted('none', err)
        : readFailure({ provider: name, operation: 'list' }, err);
      return { kind: 'unknown', err: failure };
    }
  }

  async #callApply(batch: Batch, run: Run): Promise<readonly SentResult[]> {
    const begunAtMs = this.#clock.monotonic();
    const { results, outcome } = await this.#outcomesOf(batch, run);
    this.#metrics.called('apply', outcome, this.#clock.monotonic() - begunAtMs);
    this.#heed(results.flatMap((result) => (result.kind === 'applied' ? [] : [result.err])));
    return results;
  }

  async #outcomesOf(
    batch: Batch,
    { gate, signal }: Run,
  ): Promise<{ readonly results: readonly SentResult[]; readonly outcome: RouteCallOutcome }> {
    const operations = Object.freeze(batch.map(({ operation }) => operation));
    const limit = { clock: this.#clock, limitMs: this.#limits.deadlineMs, signal };
    try {
      const value: unknown = await withDeadline(limit, async (limited) => {
        const { beforeWrite, end } = gate.open(limited);
        try {
          return await this.#routes.apply(operations, { signal: limited, beforeWrite });
        } finally {
          end();
        }
      });
      const { results, malformed } = readOutcomes(this.#name, operations, value);
      return { results, outcome: malformed > 0 ? 'malformed' : outcomeOfAll(results) };
    } catch (err) {
      const failure = signal.aborted
        ? this.#aborted('unknown', err)
        : readFailure({ provider: this.#name, operation: 'apply' }, err);
      return { results: operations.map(() => unknown(failure)), outcome: outcomeOf(failure) };
    }
  }

  /** Pauses calls for the longest delay that the cloud asked for in these errors. */
  #heed(errs: readonly CcmError[]): void {
    const nowMs = this.#clock.monotonic();
    for (const reason of errs) {
      const untilMs = nowMs + waitOf(reason);
      if (untilMs > Math.max(nowMs, this.#wait?.untilMs ?? 0)) this.#wait = { untilMs, reason };
    }
  }

  #aborted(effect: 'none' | 'unknown', cause: unknown): CcmError {
    const message = `A call to the route tables of ${this.#name} was aborted`;
    return new RouteError('RouteCallAborted', message, { effect, cause });
  }
}

function waitOf({ retry }: CcmError): number {
  return typeof retry === 'object' ? Math.min(retry.afterMs, retryAfterMsMax) : 0;
}

function outcomeOfAll(results: readonly SentResult[]): RouteCallOutcome {
  const isThrottled = results.some((result) => result.kind !== 'applied' && waitOf(result.err) > 0);
  return isThrottled ? 'throttled' : 'answered';
}
