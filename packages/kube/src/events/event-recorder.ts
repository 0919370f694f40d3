/**
 * The event recorder. It writes events in the background, after calls that change state, and never blocks
 * or fails a reconcile. It counts a repeated event in its series, and renews a sustained event before the
 * API server deletes it (P6). Everything is bounded: events beyond a limit are dropped and counted.
 */
import {
  CcmError,
  type Clock,
  type Counter,
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
import { eventMetricTable } from './event-metrics.ts';
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
  /** The process that reports the events, such as the identity in the Lease. */
  readonly reportingInstance: string;
  /** The name of its queue in metrics, if there are several recorders. */
  readonly queueName?: string;
  /** The number of events that may wait to be sent. Sustained events are not limited. */
  readonly waitingMax?: number;
}

/** Twice the nodes of the largest cluster: all nodes may be initialised at once. */
const waitingMaxDefault = 10_000;

/** Concurrent requests. Events are many and small, and state changes go first. */
const workers = 4;

/** As upstream: a dozen tries ten seconds apart outlast the restart of an API server. */
const triesMax = 12;
const retryMs = 10_000;

/** Half of the hour after which the API server deletes an event that is not renewed. */
const renewMs = 1_800_000;

/** The random part of the half hour, so that the renewals of a fleet spread. */
const renewJitter = 0.1;

/** After this time the API server has deleted the event. */
const seriesIdleMsMax = 3_600_000;
const seriesMax = 4_096;

const stopLimitMs = 5_000;

/** One event and its occurrences. */
interface Series extends KeyedEvent {
  /** The event that the API server has stored, as far as known. */
  stored: StoredEvent | undefined;
  /**
   * The number of unwritten occurrences, the name of the first of them if it begins a new event, and the
   * time of the last.
   */
  unwritten: number;
  first: EventName;
  lastMs: number;
  /** How often a caller asked to send it, and how many of these requests are answered. */
  asked: number;
  answered: number;
  /** Consecutive failed tries. */
  failures: number;
  /** The number of matters that sustain it. */
  sustains: number;
  /** Whether it is renewed before the API server deletes it. */
  isRenewed: boolean;
}

export class EventRecorder {
  readonly #options: EventRecorderOptions;
  readonly #random: Random;
  readonly #sent: Counter<'operation'>;
  readonly #dropped: Counter<'reason'>;
  readonly #failed: Counter<never>;
  readonly #writer: EventWriter;
  readonly #queue: WorkQueue;
  readonly #budgets: ObjectBudgets;
  readonly #similar: SimilarEvents;
  readonly #names: EventNames;
  readonly #sustained = new SustainedEvents();
  readonly #series: RecentMap<Series>;
  /** The failure codes that the log has reported. */
  readonly #loggedCodes = new Set<string>();
  #waiting = 0;
  #hasStopped = false;

  constructor(options: EventRecorderOptions) {
    const { clock, metrics } = options;
    this.#options = options;
    this.#random = options.random.fork('events');
    this.#sent = metrics.counter(eventMetricTable.eventsSentTotal);
    this.#dropped = metrics.counter(eventMetricTable.eventsDroppedTotal);
    this.#failed = metrics.counter(eventMetricTable.eventsFailedTotal);
    this.#writer = new EventWriter(options.client, options.logger);
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

  /** Records the event once. */
  record(event: NewEvent): void {
    if (this.#hasStopped) return this.#dropped.inc({ reason: 'stopped' });
    const keyed = this.#similar.combine(bounded(event));
    const known = this.#series.get(keyed.key);
    if (!this.#budgets.spend(keyed.event)) return this.#countOnly(keyed, known);
    const { waitingMax = waitingMaxDefault } = this.#options;
    const isFull = this.#waiting >= waitingMax && !isWaiting(known);
    if (isFull) return this.#dropped.inc({ reason: 'queue_full' });
    this.#sendSoon(this.#observe(keyed));
  }

  /**
   * Records the event and renews it until `end`, `forget` or another event of the same matter. It is sent
   * within a minute, however many events the object had before. Repeating a sustained event does nothing,
   * so a reconcile may call this every time.
   */
  sustain(event: SustainedEvent): void {
    if (this.#hasStopped) return;
    const { regarding, matter } = event;
    const limited = bounded(event);
    const key = eventKey(limited);
    const before = this.#sustained.set(regarding.uid, matter, key);
    if (before === key) return;
    const series = this.#observe({ key, event: limited });
    series.sustains++;
    series.isRenewed = event.isRenewed ?? true;
    if (before !== undefined) this.#unsustain(before);
    if (this.#budgets.spend(limited)) return this.#sendSoon(series);
    const afterMs = this.#budgets.sustainedWaitMs(limited);
    if (afterMs > 0) return this.#queue.add(key, { afterMs });
    this.#budgets.spendSustained(limited);
    this.#sendSoon(series);
  }

  /** Stops renewing the event of the matter. It expires an hour after its last occurrence. */
  end({ uid, matter }: { readonly uid: string; readonly matter: string }): void {
    const key = this.#sustained.delete(uid, matter);
    if (key !== undefined) this.#unsustain(key);
  }

  /** For an object that is gone: ends all its sustained events. */
  forget(uid: string): void {
    for (const key of this.#sustained.deleteAll(uid)) this.#unsustain(key);
    this.#budgets.forget(uid);
  }

  /** Sends what waits for a limited time, and ends. What is left is dropped. */
  async stop(): Promise<void> {
    this.#hasStopped = true;
    const draining = this.#queue.drain();
    try {
      await withDeadline({ clock: this.#options.clock, limitMs: stopLimitMs }, () => draining);
    } catch {
      // Only the deadline rejects. The queue then aborts what runs.
      await this.#queue.stop();
    }
    for (const series of this.#series.values().filter(isWaiting)) {
      this.#dropped.inc({ reason: 'stopped' });
      this.#answer(series, series.asked);
    }
  }

  /** Counts the event for the next write of its series, or drops it if there is none. */
  #countOnly(keyed: KeyedEvent, known: Series | undefined): void {
    const isKnown = known !== undefined && (known.stored !== undefined || isWaiting(known));
    if (isKnown) this.#observe(keyed);
    else this.#dropped.inc({ reason: 'rate_limited' });
  }

  #observe({ key, event }: KeyedEvent): Series {
    const series = this.#series.use(key, () => newSeries({ key, event }));
    if (series.unwritten === 0) series.first = this.#names.next(event);
    series.lastMs = this.#options.clock.now();
    series.unwritten++;
    return series;
  }

  #sendSoon(series: Series): void {
    if (!isWaiting(series)) this.#waiting++;
    series.asked++;
    // Another occurrence does not shorten the wait for a retry.
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

  /** Later requests stay unanswered. */
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
    const reportingInstance = boundedText(this.#options.reportingInstance, wordBytesMax);
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
      this.#sent.inc({ operation: outcome.verb });
    } else if (outcome.kind === 'failed' && ++series.failures < triesMax) {
      return { afterMs: retryMs };
    } else this.#giveUp(series, outcome.err);
    series.failures = 0;
    series.unwritten -= sent.more;
    this.#answer(series, sent.asked);
    const isDue = series.sustains > 0 && series.isRenewed;
    if (!isDue) return undefined;
    return { afterMs: renewMs * (1 - renewJitter * this.#random.next()), priority: 'routine' };
  }

  #giveUp({ event }: Series, err: unknown): void {
    const { reason, note, regarding } = event;
    this.#failed.inc();
    const { logger } = this.#options;
    logger.debug({ reason, note, object: regarding.name, err }, 'Could not write event');
    const code = err instanceof CcmError ? err.code : 'other';
    if (this.#loggedCodes.has(code)) return;
    this.#loggedCodes.add(code);
    logger.warn(
      { reason, object: regarding.name, err },
      'Could not write an event, more may be lost',
    );
  }
}

function newSeries(keyed: KeyedEvent): Series {
  const times = { stored: undefined, first: { name: '', timeMicros: 0 }, lastMs: 0 };
  const counts = { unwritten: 0, asked: 0, answered: 0, failures: 0, sustains: 0 };
  return { ...keyed, ...times, ...counts, isRenewed: true };
}

/** Whether the event waits for its first or next try. */
function isWaiting(series: Series | undefined): boolean {
  return series !== undefined && series.asked > series.answered;
}

/** The event within the limits of the API server, without other fields. */
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
