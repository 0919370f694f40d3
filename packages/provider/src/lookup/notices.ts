/**
 * Joins a provider's hints that instances may have changed and passes them on to subscribers. A hint decides nothing: it
 * makes controllers look up nodes before their next poll. The cloud decides how often hints come, so hints within a short
 * time become one notice, and "anything may have changed", which makes controllers look up every node, is sent at most a
 * few times a minute. If a provider cannot watch, the log says so once, and polling goes on.
 */
import type { Clock, Logger, Timer } from '@tandem/runtime';
import type { InstanceKey, Provider } from '../plug/index.ts';
import type { LookupMetrics } from './lookup-metrics.ts';

export interface Notice {
  /** The instances that may have changed. If empty, any instance may have. */
  readonly keys: ReadonlySet<InstanceKey>;
  /** When their last hint came, on the monotonic clock. Older data may not show the change. */
  readonly sinceMs: number;
}

export type NoticeListener = (notice: Notice) => void;

/** Hints within this time become one notice: a change of many machines causes many hints. */
export const noticeWindowMs = 250;
/** The maximum number of instances in a notice. With more, the notice says that any instance may have changed. */
export const noticeKeysMax = 5_000;
/** The time between two notices that any instance may have changed. */
export const everythingPauseMs = 10_000;

export interface NoticesOptions {
  readonly provider: Provider;
  readonly clock: Clock;
  readonly logger: Logger;
  readonly metrics: Pick<LookupMetrics, 'noticed'>;
  readonly onNotice: NoticeListener;
}

export class Notices {
  readonly #options: NoticesOptions;
  readonly #listeners = new Set<NoticeListener>();
  #signal: AbortSignal | undefined;
  /** Hints that no notice has passed on yet. */
  #keys = new Set<InstanceKey>();
  #isEverything = false;
  #sinceMs = 0;
  #toldEverythingAtMs = Number.NEGATIVE_INFINITY;
  #timer: { readonly dueMs: number; readonly timer: Timer } | undefined;

  constructor(options: NoticesOptions) {
    this.#options = options;
  }

  /** Watches until the signal aborts, if the provider can watch. */
  start(signal: AbortSignal): void {
    const { provider } = this.#options;
    if (provider.watch === undefined) return;
    this.#signal = signal;
    signal.addEventListener('abort', () => this.#timer?.timer.cancel(), { once: true });
    try {
      const begun: unknown = provider.watch((keys) => this.#take(keys), { signal });
      // An async `watch` fails later.
      if (begun instanceof Promise) begun.catch((err: unknown) => this.#tellFailure(err));
    } catch (err) {
      this.#tellFailure(err);
    }
  }

  /** The subscriber gets the hints from now on. */
  subscribe(listener: NoticeListener): () => void {
    this.#listeners.add(listener);
    return () => void this.#listeners.delete(listener);
  }

  /** Takes any value. A hint that cannot be read may be about any instance. */
  #take(given: unknown): void {
    if (this.#signal?.aborted) return;
    const { clock, metrics } = this.#options;
    metrics.noticed();
    const keys: unknown[] = Array.isArray(given) ? given : [];
    const known = keys.filter((key) => typeof key === 'string' && key !== '');
    const isTooMuch = this.#keys.size + known.length > noticeKeysMax;
    if (known.length === 0 || known.length < keys.length || isTooMuch) this.#isEverything = true;
    else for (const key of known) this.#keys.add(String(key));
    this.#sinceMs = clock.monotonic();
    this.#wakeAt(this.#keys.size > 0 ? this.#sinceMs + noticeWindowMs : this.#everythingDueMs());
  }

  #everythingDueMs(): number {
    const nowMs = this.#options.clock.monotonic();
    return Math.max(nowMs + noticeWindowMs, this.#toldEverythingAtMs + everythingPauseMs);
  }

  #wakeAt(dueMs: number): void {
    if (this.#timer !== undefined && this.#timer.dueMs <= dueMs) return;
    this.#timer?.timer.cancel();
    const { clock } = this.#options;
    const timer = clock.after(dueMs - clock.monotonic(), () => {
      this.#timer = undefined;
      this.#tell();
    });
    this.#timer = { dueMs, timer };
  }

  #tell(): void {
    const nowMs = this.#options.clock.monotonic();
    const isEverythingDue = nowMs >= this.#toldEverythingAtMs + everythingPauseMs;
    const keys = this.#keys;
    this.#keys = new Set();
    if (this.#isEverything && isEverythingDue) {
      this.#isEverything = false;
      this.#toldEverythingAtMs = nowMs;
      this.#notify({ keys: new Set(), sinceMs: this.#sinceMs });
      return;
    }
    if (this.#isEverything) this.#wakeAt(this.#everythingDueMs());
    if (keys.size > 0) this.#notify({ keys, sinceMs: this.#sinceMs });
  }

  #notify(notice: Notice): void {
    this.#options.onNotice(notice);
    for (const listener of this.#listeners) listener(notice);
  }

  #tellFailure(err: unknown): void {
    if (this.#signal?.aborted) return;
    const { logger, provider } = this.#options;
    const facts = { provider: provider.name, err };
    logger.warn(facts, 'Provider cannot watch for changes, relying on polls');
  }
}
