/**
 * The metrics and log lines of an informer, and the time of the last message of the server. It logs an
 * outage when it begins, when its kind or cause changes, and then every few minutes while it lasts, not
 * at every try.
 */
import {
  CcmError,
  type Clock,
  type Instant,
  instantOf,
  type Logger,
  type Metrics,
} from '@tandem/runtime';
import { ApiError } from '../client/index.ts';
import { type InformerMetrics, informerMetrics } from './informer-metrics.ts';
import type { Applied } from './mirror.ts';
import type { Ending, Step } from './step.ts';
import type { Outcome } from './step-parts.ts';

interface TelemetryOptions {
  readonly clock: Clock;
  readonly logger: Logger;
  readonly metrics: Metrics;
  readonly resource: string;
}

export class Telemetry {
  readonly #options: TelemetryOptions;
  readonly #metrics: InformerMetrics;
  #progress: Instant;
  #publishedMs = Number.NEGATIVE_INFINITY;
  #problem: string | undefined;
  /** The last logged problem of the current outage, and when it was logged. */
  #logged: { readonly what: string; readonly atMs: number } | undefined;

  constructor(options: TelemetryOptions) {
    this.#options = options;
    this.#metrics = informerMetrics(options.metrics, options.resource);
    this.#progress = instantOf(options.clock);
  }

  /** The time of the last message of the server; before the first one, the start. */
  get progress(): Instant {
    return this.#progress;
  }

  /**
   * Why the last read failed, in the server's words if it has some; undefined since the last whole list.
   */
  get problem(): string | undefined {
    return this.#problem;
  }

  /**
   * The server sent something, at this time of the monotonic clock, and the cache has so many objects.
   */
  progressed(objects: number, nowMs: number): void {
    const { clock } = this.#options;
    // A list comes in thousands of chunks, dozens of them within a millisecond.
    if (nowMs >= this.#progress.monotonicMs + progressEveryMs) {
      this.#progress = { monotonicMs: nowMs, wallMs: clock.now() };
    }
    // Metrics are scraped less often than this.
    if (nowMs < this.#publishedMs + publishEveryMs) return;
    this.#publishedMs = nowMs;
    this.#metrics.progressed({ objects, nowMs: clock.now() });
  }

  sawEvent(effect: Applied): void {
    this.#metrics.sawEvent(effect);
  }

  sawList(): void {
    this.#logged = undefined;
    this.#problem = undefined;
    this.#publishedMs = Number.NEGATIVE_INFINITY;
    this.#metrics.listed();
  }

  /** Versions went back, which is legal only for a restored server. */
  wentBack(versions: { readonly from: string; readonly to: string }): void {
    const { logger } = this.#options;
    logger.warn(versions, 'API server was restored to an older state, updating the cache');
  }

  ended(step: Step, outcome: Outcome, delayMs: number): void {
    const { ending, err } = outcome;
    const { logger } = this.#options;
    this.#metrics.ended(ending);
    if (isTrouble(outcome)) this.#problem = err instanceof Error ? wordsOf(err) : messages[ending];
    const isNews = isTrouble(outcome) && this.#isNews(`${ending} ${causeOf(err)}`);
    const fields = { step: step.kind, ending, delayMs: Math.round(delayMs), err };
    logger[isNews ? 'warn' : 'debug'](fields, messages[ending]);
  }

  /** Whether to log this problem now. It then counts as logged. */
  #isNews(what: string): boolean {
    const nowMs = this.#options.clock.monotonic();
    const isOld = this.#logged?.what === what && nowMs < this.#logged.atMs + logAgainMs;
    if (!isOld) this.#logged = { what, atMs: nowMs };
    return !isOld;
  }
}

/** Often enough to appear in the last lines of a log. */
const logAgainMs = 5 * 60_000;

/** The code of a failure, without what differs between tries. */
function causeOf(err: unknown): string {
  return err instanceof CcmError ? err.code : '';
}

function wordsOf(err: Error): string {
  return err instanceof ApiError && err.status.message !== '' ? err.status.message : err.message;
}

const progressEveryMs = 1;
const publishEveryMs = 1_000;

/** Whether to warn: watches end every day, but lists should not break off. */
function isTrouble({ ending, isComplete }: Outcome): boolean {
  switch (ending) {
    case 'listed':
    case 'not streamed':
    case 'stopped':
      return false;
    case 'closed':
    case 'broken':
      return !isComplete;
    case 'unreachable':
    case 'throttled':
    case 'expired':
    case 'ahead':
    case 'silent':
    case 'undecodable':
    case 'stale':
    case 'refused':
      return true;
  }
}

const messages: Readonly<Record<Ending, string>> = {
  listed: 'Listed objects in pages',
  closed: 'Watch ended, resuming',
  broken: 'Watch connection broke, resuming',
  unreachable: 'Could not read from API server, retrying',
  throttled: 'API server throttled the request, waiting',
  expired: 'API server no longer has the cached version, listing again',
  ahead: 'API server does not have the cached version yet, listing again',
  'not streamed': 'API server did not stream the list, listing in pages',
  silent: 'Watch went silent, listing again',
  undecodable: 'Could not decode response, listing again',
  stale: 'Response was older than the cache, listing again',
  refused: 'API server refused to list or watch, retrying',
  stopped: 'Stopped informer',
};
