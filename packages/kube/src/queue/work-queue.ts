/**
 * The work queue: keys go in, a handler is called for each, never twice at once for the same key (M3).
 * A key that is added while it waits is still one key; one that is added while it is being worked on
 * runs again afterwards, so that every change is followed by work that began after it (M2). A handler
 * that fails is called again after a back-off of that key's own, and slowly after an error with
 * `retry: 'never'`: the queue never gives a key up. It holds keys and nothing else, and forgets a key as
 * soon as nothing is left to do for it (M6).
 */
import {
  type Backoff,
  CcmError,
  type Clock,
  type Logger,
  type Metrics,
  type Random,
} from '@tandem/runtime';
import { backoffDefault, delayMsMax, retryDelayMs } from './retry-delay.ts';
import { DelayLine } from './delay-line.ts';
import { higherPriority, type Priority, ReadyLine } from './ready-line.ts';
import { type QueueMetrics, queueMetrics } from './queue-metrics.ts';
import { RunningWork } from './running-work.ts';

export interface WorkQueueOptions {
  /** The label of its metrics. */
  readonly name: string;
  readonly handle: Handler;
  /** How many keys are worked on at once. */
  readonly workers: number;
  readonly backoff?: Backoff;
  readonly clock: Clock;
  readonly random: Random;
  readonly metrics: Metrics;
  readonly logger: Logger;
}

/**
 * Does the work for one key. It may be called at any time, twice, or late. Success forgets earlier
 * failures and may ask for another call. A thrown `CcmError` says by its `retry` when it is called again,
 * `never` after `slowRetryMs`; any other error means back-off.
 */
export type Handler = (key: string, work: Work) => Promise<Again | void>;

export interface Work {
  /** Aborts when the queue is stopped. */
  readonly signal: AbortSignal;
  readonly priority: Priority;
  /** How often in a row the key has failed before. */
  readonly failures: number;
}

/** Asks for another call although all is well, as for a poll. */
export interface Again {
  readonly afterMs: number;
  /** The one that it had, when left out. */
  readonly priority?: Priority;
}

export interface AddOptions {
  /** Routine when left out. */
  readonly priority?: Priority;
  /** Not before then. Of several times that a key was given the earliest counts. */
  readonly afterMs?: number;
}

/** What the queue knows of a key while something is to be done for it. */
interface Item {
  failures: number;
  /** When it became ready, for as long as it waits to be taken. */
  readySinceMs: number;
  /** Set when it was added while being worked on. */
  again: Priority | undefined;
  /** The final failure that the log was told of last. */
  toldOf: string | undefined;
}

export class WorkQueue {
  readonly #handle: Handler;
  readonly #workers: number;
  readonly #backoff: Backoff;
  readonly #clock: Clock;
  readonly #random: Random;
  readonly #logger: Logger;
  readonly #metrics: QueueMetrics;

  readonly #items = new Map<string, Item>();
  readonly #ready = new ReadyLine();
  readonly #delayed: DelayLine;
  readonly #running: RunningWork;
  /** Keys that wait for their own run to end. */
  #againCount = 0;

  readonly #abort = new AbortController();
  readonly #ended: PromiseWithResolvers<void> = Promise.withResolvers();
  #state: 'new' | 'open' | 'draining' | 'stopped' = 'new';
  #isWakeSet = false;

  constructor(options: WorkQueueOptions) {
    const { name, clock, workers } = options;
    if (!Number.isInteger(workers) || workers < 1) {
      throw new RangeError(`workers must be a whole number of at least 1, not ${workers}`);
    }
    this.#handle = options.handle;
    this.#workers = workers;
    this.#backoff = options.backoff ?? backoffDefault;
    this.#clock = clock;
    this.#random = options.random.fork(`queue/${name}`);
    this.#logger = options.logger.child({ queue: name });
    this.#metrics = queueMetrics(options.metrics, name);
    this.#delayed = new DelayLine(clock, (key, priority) => this.#makeReady(key, priority));
    this.#running = new RunningWork(clock, this.#metrics);
  }

  /** Keys that could run now, including running keys that will run again. */
  get depth(): number {
    return this.#ready.size + this.#againCount;
  }

  get running(): number {
    return this.#running.size;
  }

  get delayed(): number {
    return this.#delayed.size;
  }

  /** Everything that the queue remembers. */
  get size(): number {
    return this.#items.size;
  }

  /** Lets the workers begin: when the caches are synced. Keys may be added before. */
  start(): void {
    if (this.#state !== 'new') return;
    this.#state = 'open';
    this.#wake();
  }

  /** Never runs anything before it returns. After `drain` or `stop` it does nothing. */
  add(key: string, { priority = 'routine', afterMs = 0 }: AddOptions = {}): void {
    if (this.#isClosed()) return;
    if (afterMs > 0) this.#makeReadyLater(key, priority, afterMs);
    else this.#makeReady(key, priority);
  }

  /**
   * Takes back what was added for a key and has not begun. Its failures are forgotten too, and so is what
   * becomes of a run that is under way: only what is added from now on counts.
   */
  forget(key: string): void {
    this.#delayed.remove(key);
    this.#ready.delete(key);
    if (this.#items.get(key)?.again !== undefined) this.#againCount--;
    this.#items.delete(key);
    // A run that is under way keeps the item that it began with, and is known by it.
    if (this.#running.has(key)) this.#itemOf(key);
    this.#metrics.depth(this.depth);
  }

  /** Takes no more keys, works off those that are ready, and ends. Delayed ones are dropped. */
  drain(): Promise<void> {
    if (this.#state === 'new') return this.stop();
    if (this.#state === 'open') {
      this.#state = 'draining';
      this.#dropDelayed();
      this.#endIfDone();
    }
    return this.#ended.promise;
  }

  /** Starts nothing any more, tells what runs to end, and waits until it has. */
  stop(): Promise<void> {
    if (this.#state !== 'stopped') {
      this.#state = 'stopped';
      this.#dropDelayed();
      this.#dropReady();
      this.#abort.abort(new Error('The work queue was stopped'));
      this.#endIfDone();
    }
    return this.#ended.promise;
  }

  #isClosed(): boolean {
    return this.#state === 'draining' || this.#state === 'stopped';
  }

  #makeReady(key: string, asked: Priority): void {
    const priority = higherPriority(asked, this.#delayed.remove(key)?.priority);
    const item = this.#itemOf(key);
    const isNew = item.again === undefined && !this.#ready.has(key);
    if (isNew) {
      item.readySinceMs = this.#clock.monotonic();
      this.#metrics.added();
    }
    if (this.#running.has(key)) {
      if (isNew) this.#againCount++;
      item.again = higherPriority(priority, item.again);
    } else {
      this.#ready.add(key, priority);
      this.#wake();
    }
    if (isNew) this.#metrics.depth(this.depth);
  }

  #makeReadyLater(key: string, priority: Priority, afterMs: number): void {
    this.#metrics.retried();
    const item = this.#itemOf(key);
    if (this.#ready.has(key) || item.again !== undefined) this.#makeReady(key, priority);
    else {
      const dueMs = this.#clock.monotonic() + Math.min(afterMs, delayMsMax);
      this.#delayed.add(key, { dueMs, priority });
    }
  }

  /** Work begins in a later turn of the event loop, so that it never interrupts the caller that adds keys. */
  #wake(): void {
    if (this.#isWakeSet) return;
    this.#isWakeSet = true;
    queueMicrotask(() => {
      this.#isWakeSet = false;
      this.#beginWork();
    });
  }

  #beginWork(): void {
    if (this.#state === 'new' || this.#state === 'stopped') return;
    while (this.#running.size < this.#workers) {
      const next = this.#ready.take();
      if (next === undefined) return;
      void this.#work(next.key, next.priority);
    }
  }

  async #work(key: string, priority: Priority): Promise<void> {
    const item = this.#itemOf(key);
    this.#metrics.started(this.#clock.monotonic() - item.readySinceMs);
    this.#metrics.depth(this.depth);
    this.#running.begin(key);
    const work = { signal: this.#abort.signal, priority, failures: item.failures };
    let next: Again | undefined;
    try {
      next = (await this.#handle(key, work)) ?? undefined;
      item.failures = 0;
      item.toldOf = undefined;
    } catch (err) {
      next = this.#afterFailure(err, { key, item, priority });
    }
    this.#running.end(key);
    this.#carryOn(key, { next: this.#isForgotten(key, item) ? undefined : next, priority });
  }

  /** What follows a run: the key again at once, or later, or nothing. */
  #carryOn(
    key: string,
    run: { readonly next: Again | undefined; readonly priority: Priority },
  ): void {
    const { next, priority } = run;
    const item = this.#itemOf(key);
    if (item.again !== undefined) {
      // It waits since it was added, and the run that comes now decides what follows. What failed as
      // urgent is still urgent.
      const again = higherPriority(item.again, next?.priority);
      item.again = undefined;
      this.#againCount--;
      if (this.#state !== 'stopped') this.#ready.add(key, again);
    } else if (next !== undefined) {
      this.add(key, { priority, ...next });
    }
    this.#releaseIfIdle(key);
    this.#beginWork();
    this.#endIfDone();
  }

  #afterFailure(
    err: unknown,
    run: { readonly key: string; readonly item: Item; readonly priority: Priority },
  ): Again {
    const { key, item, priority } = run;
    const retry = err instanceof CcmError ? err.retry : 'backoff';
    const failures = ++item.failures;
    const afterMs = retryDelayMs(this.#backoff, { retry, failures }, this.#random);
    const facts = { key, err, failures, afterMs };
    // Aborted work often ends by failing, and the outcome of a forgotten key no longer matters.
    const isOver = this.#state === 'stopped' || this.#isForgotten(key, item);
    if (isOver) this.#logger.debug({ key, err }, 'Work was interrupted');
    else if (retry === 'never') this.#tellFinal(item, facts);
    else this.#logger.warn(facts, 'Work failed, retrying');
    return { afterMs, priority };
  }

  /** Once for each change: it may stand for days. */
  #tellFinal(item: Item, facts: { readonly key: string; readonly err: unknown }): void {
    const { err } = facts;
    const what = err instanceof CcmError ? `${err.code}: ${err.message}` : '';
    const isNew = what !== item.toldOf;
    item.toldOf = what;
    const message = 'Work failed, retrying slowly';
    if (isNew) this.#logger.error(facts, message);
    else this.#logger.debug(facts, message);
  }

  /** Whether the key was forgotten since the run with this item began. */
  #isForgotten(key: string, item: Item): boolean {
    return this.#items.get(key) !== item;
  }

  #itemOf(key: string): Item {
    const known = this.#items.get(key);
    if (known !== undefined) return known;
    const item = { failures: 0, readySinceMs: 0, again: undefined, toldOf: undefined };
    this.#items.set(key, item);
    return item;
  }

  #releaseIfIdle(key: string): void {
    if (this.#running.has(key) || this.#ready.has(key) || this.#delayed.has(key)) return;
    this.#items.delete(key);
  }

  #dropDelayed(): void {
    this.#delayed.clear();
    for (const key of this.#items.keys()) this.#releaseIfIdle(key);
  }

  #dropReady(): void {
    this.#ready.clear();
    for (const item of this.#items.values()) item.again = undefined;
    this.#againCount = 0;
    for (const key of this.#items.keys()) this.#releaseIfIdle(key);
    this.#metrics.depth(0);
  }

  #endIfDone(): void {
    if (!this.#isClosed() || this.#running.size > 0 || this.#ready.size > 0) return;
    this.#state = 'stopped';
    this.#running.stop();
    this.#ended.resolve();
  }
}
