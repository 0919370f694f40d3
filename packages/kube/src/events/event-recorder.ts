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
  untilAborted,
  withDeadline,
} from '@tandem/runtime';
import type { KubeClient } from '../client/index.ts';
import { type Again, WorkQueue } from '../queue/index.ts';
import { boundedText, noteBytesMax, wordBytesMax } from './bounded-text.ts';
import type { NewEvent, StandingEvent } from './event.ts';
import { type EventMetrics, eventMetrics } from './event-metrics.ts';
import { eventName } from './event-name.ts';
import { type EventOutcome, EventWriter } from './event-writer.ts';
import { ObjectBudgets, refillMs } from './object-budget.ts';
import { RecentMap } from './recent-map.ts';
import { type NamedEvent, SimilarEvents } from './similar-events.ts';
import { StandingEvents } from './standing-events.ts';

export interface EventRecorderOptions {
  readonly client: KubeClient;
  readonly clock: Clock;
  readonly random: Random;
  readonly metrics: Metrics;
  readonly logger: Logger;
  /** Which process says it, such as the identity in the Lease. */
  readonly reportingInstance: string;
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

/** Half of the hour after which the API server forgets an event that nobody touched. */
const renewMs = 1_800_000;

/** The part of the half hour that is left to chance, so that a fleet's renewals spread. */
const renewJitter = 0.1;

/** After this time the API server has forgotten the event too. */
const seriesIdleMsMax = 3_600_000;
const seriesMax = 4_096;

const stopLimitMsDefault = 5_000;

/** One event and its occurrences. */
interface Series extends NamedEvent {
  /** How many occurrences the API server is thought to know of. */
  stored: number;
  /** How many it does not know of yet, and when the first and the last of them were. */
  unwritten: number;
  firstMs: number;
  lastMs: number;
  /** How often it was to be sent, and how many of these have been seen to. */
  asked: number;
  answered: number;
  /** Tries in a row that failed. */
  failures: number;
  /** For how many matters it stands. */
  stands: number;
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
  readonly #standing = new StandingEvents();
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
      name: 'events',
      workers,
      handle: (name, { signal }) => this.#send(name, signal),
    });
    this.#queue.start();
    this.#budgets = new ObjectBudgets(clock);
    this.#similar = new SimilarEvents(clock);
    this.#series = new RecentMap({
      clock,
      idleMsMax: seriesIdleMsMax,
      sizeMax: seriesMax,
      isHeld: (series) => isWaiting(series) || series.stands > 0,
    });
  }

  /** Says it once. */
  record(event: NewEvent): void {
    if (this.#hasStopped) return this.#metrics.dropped('stopped');
    const named = this.#similar.combine(bounded(event));
    const known = this.#series.get(named.name);
    if (!this.#budgets.spend(named.event)) return this.#countOnly(named, known);
    const isFull = this.#waiting >= this.#waitingMax && !isWaiting(known);
    if (isFull) return this.#metrics.dropped('queue_full');
    this.#sendSoon(this.#observe(named));
  }

  /**
   * Says it and keeps saying it until `end`, `forget` or another event of the same matter. Saying what
   * stands already does nothing, so that a reconcile may call this every time.
   */
  sustain(event: StandingEvent): void {
    if (this.#hasStopped) return;
    const { regarding, matter } = event;
    const said = bounded(event);
    const name = eventName(said);
    const before = this.#standing.set(regarding.uid, matter, name);
    if (before === name) return;
    const series = this.#observe({ name, event: said });
    series.stands++;
    if (before !== undefined) this.#unstand(before);
    if (this.#budgets.spend(said)) this.#sendSoon(series);
    else this.#queue.add(name, { afterMs: refillMs });
  }

  /** Stops renewing what stands for the matter; it expires an hour after it was last said. */
  end({ uid, matter }: { readonly uid: string; readonly matter: string }): void {
    const name = this.#standing.delete(uid, matter);
    if (name !== undefined) this.#unstand(name);
  }

  /** For an object that is gone: nothing stands for it any more. */
  forget(uid: string): void {
    for (const name of this.#standing.deleteAll(uid)) this.#unstand(name);
    this.#budgets.forget(uid);
  }

  /** Sends what waits, for so long at most, and ends. What is left is dropped. */
  async stop({ limitMs = stopLimitMsDefault }: { limitMs?: number } = {}): Promise<void> {
    this.#hasStopped = true;
    const draining = this.#queue.drain();
    try {
      await withDeadline({ clock: this.#clock, limitMs }, () => draining);
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
  #countOnly(named: NamedEvent, known: Series | undefined): void {
    const isTold = known !== undefined && (known.stored > 0 || isWaiting(known));
    if (isTold) this.#observe(named);
    else this.#metrics.dropped('rate_limited');
  }

  #observe({ name, event }: NamedEvent): Series {
    const nowMs = this.#clock.now();
    const series = this.#series.use(name, () => newSeries({ name, event }));
    if (series.unwritten === 0) series.firstMs = nowMs;
    series.lastMs = nowMs;
    series.unwritten++;
    return series;
  }

  #sendSoon(series: Series): void {
    if (!isWaiting(series)) this.#waiting++;
    series.asked++;
    // What is being tried again is not tried more often because it happened once more.
    const afterMs = series.failures > 0 ? retryMs : 0;
    this.#queue.add(series.name, { priority: 'urgent', afterMs });
  }

  #unstand(name: string): void {
    const series = this.#series.get(name);
    if (series === undefined) return;
    series.stands--;
    if (series.stands > 0 || isWaiting(series)) return;
    this.#queue.forget(name);
    series.failures = 0;
  }

  /** Whoever asked in the meantime still waits. */
  #answer(series: Series, asked: number): void {
    const didWait = isWaiting(series);
    series.answered = asked;
    if (didWait && !isWaiting(series)) this.#waiting--;
  }

  async #send(name: string, signal: AbortSignal): Promise<Again | undefined> {
    const series = this.#series.get(name);
    if (series === undefined) return undefined;
    if (series.unwritten === 0) {
      if (series.stands === 0) return undefined;
      this.#observe(series);
    }
    const { event, stored, unwritten: more, firstMs, lastMs, asked } = series;
    const record = { name, event, reportingInstance: this.#reportingInstance, firstMs, lastMs };
    const writing = this.#writer.write({ ...record, stored, more, signal });
    const outcome = await untilAborted(signal, writing);
    return this.#settle(series, { more, asked }, outcome);
  }

  #settle(
    series: Series,
    sent: { readonly more: number; readonly asked: number },
    outcome: EventOutcome,
  ): Again | undefined {
    if (outcome.kind === 'written') {
      series.stored = outcome.count;
      this.#metrics.sent(outcome.verb);
    } else if (outcome.kind === 'failed' && ++series.failures < triesMax) {
      return { afterMs: retryMs };
    } else this.#giveUp(series, outcome.err);
    series.failures = 0;
    series.unwritten -= sent.more;
    this.#answer(series, sent.asked);
    return series.stands > 0 ? { afterMs: this.#renewalMs(), priority: 'routine' } : undefined;
  }

  #giveUp({ event }: Series, err: unknown): void {
    const { reason, note, regarding } = event;
    this.#metrics.failed();
    this.#logger.debug({ reason, note, object: regarding.name, err }, 'Gave an event up');
    const code = err instanceof CcmError ? err.code : 'other';
    if (this.#saidCodes.has(code)) return;
    this.#saidCodes.add(code);
    this.#logger.warn({ reason, err }, 'An event was given up, and others may be');
  }

  #renewalMs(): number {
    return renewMs * (1 - renewJitter * this.#random.next());
  }
}

function newSeries(named: NamedEvent): Series {
  const times = { firstMs: 0, lastMs: 0 };
  const counts = { stored: 0, unwritten: 0, asked: 0, answered: 0, failures: 0, stands: 0 };
  return { ...named, ...times, ...counts };
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
