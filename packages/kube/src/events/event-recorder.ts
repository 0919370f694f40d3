/**
 * The event recorder: controllers say what happened and go on; it is written in the background, after
 * whatever changes state, and never blocks or fails a reconcile. The same event again is counted in
 * its series. An event that stands is renewed before the API server forgets it (P6). Everything has a
 * bound, and what does not fit is dropped and counted.
 */
import {
  CcmError,
  type Clock,
  type Logger,
  type Metrics,
  type Random,
  withDeadline,
} from '@tandem/runtime';
import type { KubeClient } from '../client/index.ts';
import { type Again, WorkQueue } from '../queue/index.ts';
import {
  boundedText,
  type NewEvent,
  noteBytesMax,
  type SustainedEvent,
  wordBytesMax,
} from './event.ts';
import { type EventMetrics, eventMetrics } from './event-metrics.ts';
import { eventKey, type EventName, EventNames } from './event-name.ts';
import { type EventOutcome, EventWriter, type StoredEvent } from './event-writer.ts';
import { ObjectBudgets } from './object-budget.ts';
import { RecentMap } from './recent-map.ts';
import { type KeyedEvent, SimilarEvents } from './similar-events.ts';
import { SustainedEvents } from './sustained-events.ts';

export interface EventRecorderOptions {
  readonly client: KubeClient;
  readonly clock: Clock;
  readonly random: Random;
  readonly metrics: Metrics;
  readonly logger: Logger;
  /** Which process says it, such as the identity in the Lease. */
  readonly reportingInstance: string;
  /** What its queue is called in metrics, where there are several recorders. */
  readonly queueName?: string;
  /** Events that wait to be sent, at most; standing ones are never turned away. */
  readonly waitingMax?: number;
}

/** Twice the nodes of the largest cluster: all of them may become initialised at once. */
const waitingMaxDefault = 10_000;

/** Requests at once. Events are many and small, and state changes go first anyway. */
const workers = 4;

/** As upstream: a dozen tries ten seconds apart outlast the restart of an API server. */
const triesMax = 12;
const retryMs = 10_000;

/** Half of the hour after which the API server deletes an event that is not renewed. */
const renewMs = 1_800_000;

/** The part of the half hour that is left to chance, so that a fleet's renewals spread. */
const renewJitter = 0.1;

/** After this time the API server has forgotten the event too. */
const seriesIdleMsMax = 3_600_000;
const seriesMax = 4_096;

const stopLimitMs = 5_000;

/** One event and its occurrences. */
interface Series extends KeyedEvent {
  /** What the API server is thought to have. */
  stored: StoredEvent | undefined;
  /**
   * How many occurrences it does not know of yet, the name that the first of them gets if it begins a
   * new event, and when the last was.
   */
  unwritten: number;
  first: EventName;
  lastMs: number;
  /** How often it was to be sent, and how many of these have been seen to. */
  asked: number;
  answered: number;
  /** Tries in a row that failed. */
  failures: number;
  /** For how many matters it stands. */
  sustains: number;
  /** Whether it is said again before the API server forgets it. */
  isRenewed: boolean;
}

export class EventRecorder {
  readonly #clock: Clock;
  readonly #random: Random;
  readonly #logger: Logger;
  readonly #metrics: EventMetrics;
  readonly #reportingInstance: string;
  readonly #waitingMax: number;
  readonly #writer: EventWriter;
  readonly #queue: WorkQueue;
  readonly #budgets: ObjectBudgets;
  readonly #similar: SimilarEvents;
  readonly #names: EventNames;
  readonly #sustained = new SustainedEvents();
  readonly #series: RecentMap<Series>;
  /** The codes of failures that the log has told of. */
  readonly #saidCodes = new Set<string>();
  #waiting = 0;
  #hasStopped = false;

  constructor(options: EventRecorderOptions) {
    const { clock, logger, reportingInstance } = options;
    this.#clock = clock;
    this.#random = options.random.fork('events');
    this.#logger = logger;
    this.#metrics = eventMetrics(options.metrics);
    this.#reportingInstance = boundedText(reportingInstance, wordBytesMax);
    this.#waitingMax = options.waitingMax ?? waitingMaxDefault;
    this.#writer = new EventWriter(options.client, logger);
    this.#queue = new WorkQueue({
      ...options,
      name: options.queueName ?? 'events',
      workers,
      handle: (key, { signal }) => this.#send(key, signal),
    });
    this.#queue.start();
    this.#budgets = new ObjectBudgets(clock);
    this.#similar = new SimilarEvents(clock);
    this.#names = new EventNames({ clock, random: this.#random });
    this.#series = new RecentMap({
      clock,
      idleMsMax: seriesIdleMsMax,
      sizeMax: seriesMax,
      isHeld: (series) => isWaiting(series) || (series.sustains > 0 && series.isRenewed),
    });
  }

  /** Says it once. */
  record(event: NewEvent): void {
    if (this.#hasStopped) return this.#metrics.dropped('stopped');
    const keyed = this.#similar.combine(bounded(event));
    const known = this.#series.get(keyed.key);
    if (!this.#budgets.spend(keyed.event)) return this.#countOnly(keyed, known);
    const isFull = this.#waiting >= this.#waitingMax && !isWaiting(known);
    if (isFull) return this.#metrics.dropped('queue_full');
    this.#sendSoon(this.#observe(keyed));
  }

  /**
   * Says it and keeps saying it until `end`, `forget` or another event of the same matter, within a minute
   * however much was said about the object before. Saying what stands already does nothing, so that a
   * reconcile may call this every time.
   */
  sustain(event: SustainedEvent): void {
    if (this.#hasStopped) return;
    const { regarding, matter } = event;
    const said = bounded(event);
    const key = eventKey(said);
    const before = this.#sustained.set(regarding.uid, matter, key);
    if (before === key) return;
    const series = this.#observe({ key, event: said });
    series.sustains++;
    series.isRenewed = event.isRenewed ?? true;
    if (before !== undefined) this.#unsustain(before);
    if (this.#budgets.spend(said)) return this.#sendSoon(series);
    const afterMs = this.#budgets.sustainedWaitMs(said);
    if (afterMs > 0) return this.#queue.add(key, { afterMs });
    this.#budgets.spendSustained(said);
    this.#sendSoon(series);
  }

  /** Stops renewing what stands for the matter; it expires an hour after it was last said. */
  end({ uid, matter }: { readonly uid: string; readonly matter: string }): void {
    const key = this.#sustained.delete(uid, matter);
    if (key !== undefined) this.#unsustain(key);
  }

  /** For an object that is gone: nothing stands for it any more. */
  forget(uid: string): void {
    for (const key of this.#sustained.deleteAll(uid)) this.#unsustain(key);
    this.#budgets.forget(uid);
  }

  /** Sends what waits for a limited time, and ends. What is left is dropped. */
  async stop(): Promise<void> {
    this.#hasStopped = true;
    const draining = this.#queue.drain();
    try {
      await withDeadline({ clock: this.#clock, limitMs: stopLimitMs }, () => draining);
    } catch {
      // Only the deadline can be the reason, and then what runs is told to end.
      await this.#queue.stop();
    }
    for (const series of this.#series.values().filter(isWaiting)) {
      this.#metrics.dropped('stopped');
      this.#answer(series, series.asked);
    }
  }

  /** What may not be sent now is told with the next of its series that may, where there is one. */
  #countOnly(keyed: KeyedEvent, known: Series | undefined): void {
    const isTold = known !== undefined && (known.stored !== undefined || isWaiting(known));
    if (isTold) this.#observe(keyed);
    else this.#metrics.dropped('rate_limited');
  }

  #observe({ key, event }: KeyedEvent): Series {
    const series = this.#series.use(key, () => newSeries({ key, event }));
    if (series.unwritten === 0) series.first = this.#names.next(event);
    series.lastMs = this.#clock.now();
    series.unwritten++;
    return series;
  }

  #sendSoon(series: Series): void {
    if (!isWaiting(series)) this.#waiting++;
    series.asked++;
    // What is being tried again is not tried more often because it happened once more.
    const afterMs = series.failures > 0 ? retryMs : 0;
    this.#queue.add(series.key, { priority: 'urgent', afterMs });
  }

  #unsustain(key: string): void {
    const series = this.#series.get(key);
    if (series === undefined) return;
    series.sustains--;
    if (series.sustains > 0 || isWaiting(series)) return;
    this.#queue.forget(key);
    series.failures = 0;
  }

  /** Callers that asked in the meantime still wait. */
  #answer(series: Series, asked: number): void {
    const didWait = isWaiting(series);
    series.answered = asked;
    if (didWait && !isWaiting(series)) this.#waiting--;
  }

  async #send(key: string, signal: AbortSignal): Promise<Again | undefined> {
    const series = this.#series.get(key);
    if (series === undefined) return undefined;
    if (series.unwritten === 0) {
      if (series.sustains === 0) return undefined;
      this.#observe(series);
    } else if (!isWaiting(series)) this.#budgets.spendSustained(series.event);
    const { event, stored, unwritten: more, first, lastMs, asked } = series;
    const reportingInstance = this.#reportingInstance;
    const write = { event, reportingInstance, first, lastMs, stored, more, signal };
    const outcome = await this.#writer.write(write);
    return this.#settle(series, { more, asked }, outcome);
  }

  #settle(
    series: Series,
    sent: { readonly more: number; readonly asked: number },
    outcome: EventOutcome,
  ): Again | undefined {
    if (outcome.kind === 'taken') {
      series.first = this.#names.next(series.event);
      return { afterMs: 0 };
    }
    if (outcome.kind === 'written') {
      series.stored = outcome.stored;
      this.#metrics.sent(outcome.verb);
    } else if (outcome.kind === 'failed' && ++series.failures < triesMax) {
      return { afterMs: retryMs };
    } else this.#giveUp(series, outcome.err);
    series.failures = 0;
    series.unwritten -= sent.more;
    this.#answer(series, sent.asked);
    const isDue = series.sustains > 0 && series.isRenewed;
    return isDue ? { afterMs: this.#renewalMs(), priority: 'routine' } : undefined;
  }

  #giveUp({ event }: Series, err: unknown): void {
    const { reason, note, regarding } = event;
    this.#metrics.failed();
    this.#logger.debug({ reason, note, object: regarding.name, err }, 'Could not write event');
    const code = err instanceof CcmError ? err.code : 'other';
    if (this.#saidCodes.has(code)) return;
    this.#saidCodes.add(code);
    this.#logger.warn(
      { reason, object: regarding.name, err },
      'Could not write an event, more may be lost',
    );
  }

  #renewalMs(): number {
    return renewMs * (1 - renewJitter * this.#random.next());
  }
}

function newSeries(keyed: KeyedEvent): Series {
  const times = { stored: undefined, first: { name: '', timeMicros: 0 }, lastMs: 0 };
  const counts = { unwritten: 0, asked: 0, answered: 0, failures: 0, sustains: 0 };
  return { ...keyed, ...times, ...counts, isRenewed: true };
}

/** Whether it waits to be sent, or for another try. */
function isWaiting(series: Series | undefined): boolean {
  return series !== undefined && series.asked > series.answered;
}

/** The event as the API server takes it, without what it has no field for. */
function bounded({
  regarding,
  type,
  reason,
  action,
  note,
  reportingController,
}: NewEvent): NewEvent {
  return {
    regarding,
    type,
    reason: boundedText(reason, wordBytesMax),
    action: boundedText(action, wordBytesMax),
    note: boundedText(note, noteBytesMax),
    reportingController,
  };
}
