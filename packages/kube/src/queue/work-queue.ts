/**
 * The work queue calls a handler for each key, never twice at once for the same key (M3). A key that is
 * added while it waits stays one key. A key that is added while it runs runs again afterwards, so that
 * work that begins after a change follows every change (M2). After a failure the queue calls the handler
 * again with a back-off per key, and slowly after an error with `retry: 'never'`: it never gives a key
 * up. It holds only keys, and forgets a key as soon as nothing is left to do for it (M6).
 */
import {
  type Backoff,
  CcmError,
  type Clock,
  type Logger,
  type Metrics,
  type Random,
  type Timer,
} from '@tandem/runtime';
import { backoffDefault, delayMsMax, retryDelayMs } from './retry-delay.ts';
import { DelayQueue } from './delay-queue.ts';
import { higherPriority, type Priority, ReadyQueue } from './ready-queue.ts';
import { type QueueMetrics, queueMetrics } from './queue-metrics.ts';
import { RunningWork } from './running-work.ts';

export interface WorkQueueOptions {
  /** The label of its metrics. */
  readonly name: string;
  readonly handle: Handler;
  /** Concurrent handlers. */
  readonly workers: number;
  readonly backoff?: Backoff;
  readonly clock: Clock;
  readonly random: Random;
  readonly metrics: Metrics;
  readonly logger: Logger;
}

/**
 * Does the work for one key. The queue may call it at any time, twice, or late. Success resets the
 * failures and may request another call. The `retry` of a thrown `CcmError` decides when the next call
 * comes, `never` after `slowRetryMs`; any other error means back-off.
 */
export type Handler = (key: string, work: Work) => Promise<Again | void>;

export interface Work {
  /** Aborts when the queue is stopped. */
  readonly signal: AbortSignal;
  readonly priority: Priority;
  /** Consecutive failures of the key before this call. */
  readonly failures: number;
}

/** Requests another call after success, for example for a poll. */
export interface Again {
  readonly afterMs: number;
  /** Unchanged if left out. */
  readonly priority?: Priority;
}

export interface AddOptions {
  /** Routine if left out. */
  readonly priority?: Priority;
  /** The earliest of several times counts. */
  readonly afterMs?: number;
}

/** The state of a key while work is left for it. */
interface Item {
  failures: number;
  /** When it became ready, while it waits for a worker. */
  readySinceMs: number;
  /** Set if it was added while it ran. */
  again: Priority | undefined;
  /** The final failure that was logged last. */
  toldOf: string | undefined;
}

/**
 * Runs that begin in one turn of the event loop. A run that waits for nothing ends in the turn in which it began, so that
 * thousands of ready keys would otherwise block timers and sockets for as long as all of their runs take together.
 */
export const runsPerTurnMax = 50;

export class WorkQueue {
  readonly #options: WorkQueueOptions;
  readonly #random: Random;
  readonly #logger: Logger;
  readonly #metrics: QueueMetrics;

  readonly #items = new Map<string, Item>();
  readonly #ready = new ReadyQueue();
  readonly #delayed: DelayQueue;
  readonly #running: RunningWork;
  /** Running keys that will run again. */
  #againCount = 0;

  readonly #abort = new AbortController();
  readonly #ended: PromiseWithResolvers<void> = Promise.withResolvers();
  #state: 'new' | 'open' | 'draining' | 'stopped' = 'new';
  #isWakeSet = false;
  #runsInTurn = 0;
  #pause: Timer | undefined;

  constructor(options: WorkQueueOptions) {
    const { name, clock, workers } = options;
    if (!Number.isInteger(workers) || workers < 1) {
      throw new RangeError(`workers must be a whole number of at least 1, not ${workers}`);
    }
    this.#options = options;
    this.#random = options.random.fork(`queue/${name}`);
    this.#logger = options.logger.child({ queue: name });
    this.#metrics = queueMetrics(options.metrics, name);
    this.#delayed = new DelayQueue(clock, (key, priority) => this.#makeReady(key, priority));
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

  /** The number of remembered keys. */
  get size(): number {
    return this.#items.size;
  }

  /** Starts the workers, once the caches are synced. Keys may be added before. */
  start(): void {
    if (this.#state !== 'new') return;
    this.#state = 'open';
    this.#wake();
  }

  /** Never runs a handler synchronously. After `drain` or `stop` it does nothing. */
  add(key: string, { priority = 'routine', afterMs = 0 }: AddOptions = {}): void {
    if (this.#isClosed()) return;
    if (afterMs > 0) this.#makeReadyLater(key, priority, afterMs);
    else this.#makeReady(key, priority);
  }

  /**
   * Removes the key if it has not started. Its failures and the outcome of its current run are forgotten,
   * too: only later additions count.
   */
  forget(key: string): void {
    this.#delayed.remove(key);
    this.#ready.delete(key);
    if (this.#items.get(key)?.again !== undefined) this.#againCount--;
    this.#items.delete(key);
    // A current run keeps its old item and is recognised by it.
    if (this.#running.has(key)) this.#itemOf(key);
    this.#metrics.depth(this.depth);
    this.#endIfDone();
  }

  /** Accepts no more keys, handles the ready ones, and ends. Delayed keys are dropped. */
  drain(): Promise<void> {
    if (this.#state === 'new') return this.stop();
    if (this.#state === 'open') {
      this.#state = 'draining';
      this.#dropDelayed();
      this.#endIfDone();
    }
    return this.#ended.promise;
  }

  /** Starts nothing, aborts running work, and waits until it has ended. */
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
      item.readySinceMs = this.#options.clock.monotonic();
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
      const dueMs = this.#options.clock.monotonic() + Math.min(afterMs, delayMsMax);
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
    while (this.#running.size < this.#options.workers && this.#ready.size > 0) {
      if (this.#runsInTurn >= runsPerTurnMax) return this.#endTurn();
      const next = this.#ready.take();
      if (next === undefined) return;
      this.#runsInTurn++;
      void this.#work(next.key, next.priority);
    }
  }

  /**
   * Lets timers and sockets have their turn, at a cost of a millisecond. Turns that end by themselves do not
   * reset the count.
   */
  #endTurn(): void {
    this.#pause ??= this.#options.clock.after(0, () => {
      this.#pause = undefined;
      this.#runsInTurn = 0;
      this.#beginWork();
    });
  }

  async #work(key: string, priority: Priority): Promise<void> {
    const item = this.#itemOf(key);
    this.#metrics.started(this.#options.clock.monotonic() - item.readySinceMs);
    this.#metrics.depth(this.depth);
    this.#running.begin(key);
    const work = { signal: this.#abort.signal, priority, failures: item.failures };
    let next: Again | undefined;
    try {
      next = (await this.#options.handle(key, work)) ?? undefined;
      item.failures = 0;
      item.toldOf = undefined;
    } catch (err) {
      next = this.#afterFailure(err, { key, item, priority });
    }
    this.#running.end(key);
    this.#carryOn(key, { next: this.#isForgotten(key, item) ? undefined : next, priority });
  }

  /** After a run: the key again at once, or later, or nothing. */
  #carryOn(
    key: string,
    run: { readonly next: Again | undefined; readonly priority: Priority },
  ): void {
    const { next, priority } = run;
    const item = this.#itemOf(key);
    if (item.again !== undefined) {
      // It has waited since it was added, and its next run decides what follows. Urgent work that failed
      // stays urgent.
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
    const { backoff = backoffDefault } = this.#options;
    const afterMs = retryDelayMs(backoff, { retry, failures }, this.#random);
    const facts = { key, err, failures, afterMs };
    // Aborted work often ends by failing, and the outcome of a forgotten key no longer matters.
    const isOver = this.#state === 'stopped' || this.#isForgotten(key, item);
    if (isOver) this.#logger.debug({ key, err }, 'Work was interrupted');
    else if (retry === 'never') this.#tellFinal(item, facts);
    else this.#logger.warn(facts, 'Work failed, retrying');
    return { afterMs, priority };
  }

  /** Logs a final failure once for each change: it may last for days. */
  #tellFinal(item: Item, facts: { readonly key: string; readonly err: unknown }): void {
    const { err } = facts;
    const what = err instanceof CcmError ? `${err.code}: ${err.message}` : '';
    const isNew = what !== item.toldOf;
    item.toldOf = what;
    const message = 'Work failed, retrying slowly';
    if (isNew) this.#logger.error(facts, message);
    else this.#logger.debug(facts, message);
  }

  /** Whether the key was forgotten after the run with this item began. */
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
    this.#pause?.cancel();
    this.#running.stop();
    this.#ended.resolve();
  }
}
