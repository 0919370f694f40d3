/**
 * An informer: a copy of a collection of the API server that follows the server and reports every change.
 * It lists and watches as client-go's reflector does and never gives up. `step.ts` decides what follows a
 * failure, `mirror.ts` what counts as a change. It keeps only projections, and leaves no timer,
 * connection or promise behind when it stops.
 */
import {
  type Clock,
  instantOf,
  type Logger,
  type Metrics,
  type Random,
  sinceMs,
  sleep,
  untilAborted,
} from '@tandem/runtime';
import type { KubeClient, Resource } from '../client/index.ts';
import type { Encoding, ObjectFacts, ObjectReader } from '../codec/index.ts';
import { type InformerLimits, informerLimits } from './limits.ts';
import { Mirror } from './mirror.ts';
import { isOlder } from '../codec/object-reader.ts';
import { firstStep, nextStep, retryAfterMsOf, type Step, StepDelay } from './step.ts';
import type { Outcome, StepParts } from './step-parts.ts';
import type { Subscriber } from './subscribers.ts';
import { overtakeByPages, takePages } from './take-pages.ts';
import { takeWatch } from './take-watch.ts';
import { Telemetry } from './telemetry.ts';

export interface InformerOptions<T extends ObjectFacts> {
  readonly client: KubeClient;
  readonly clock: Clock;
  readonly random: Random;
  readonly logger: Logger;
  readonly metrics: Metrics;
  readonly resource: Resource;
  readonly reader: ObjectReader<T>;
  /** `fieldSelector` and `labelSelector`, sent with every request. */
  readonly selectors?: Readonly<Record<string, string>>;
  /** The requested encoding. Default: protobuf if the kind has it. */
  readonly encoding?: Encoding;
  readonly limits?: Partial<InformerLimits>;
}

/** For health checks: whether the copy is complete and up to date. */
export interface InformerFacts {
  readonly isSynced: boolean;
  readonly objects: number;
  readonly resourceVersion: string | undefined;
  /**
   * The time since the last message of the server, whatever the wall clock does. A healthy server sends a bookmark
   * within 150 seconds.
   */
  readonly sinceProgressMs: number;
  /** Why the last read failed; undefined if it succeeded or there was none yet. */
  readonly problem: string | undefined;
}

export class Informer<T extends ObjectFacts> {
  readonly #mirror = new Mirror<T>();
  readonly #telemetry: Telemetry;
  readonly #parts: StepParts<T>;
  readonly #stepDelay: StepDelay;

  constructor(options: InformerOptions<T>) {
    const { clock, reader, resource } = options;
    const logger = options.logger.child({ resource: resource.resource });
    const limits = { ...informerLimits, ...options.limits };
    const random = options.random.fork(`informer/${resource.resource}`);
    this.#telemetry = new Telemetry({ ...options, logger, resource: resource.resource });
    this.#stepDelay = new StepDelay(random, limits);
    this.#parts = {
      client: options.client,
      clock,
      random,
      resource,
      selectors: options.selectors ?? {},
      reader,
      encoding: reader.fromProtobuf === undefined ? 'json' : (options.encoding ?? 'protobuf'),
      limits,
      mirror: this.#mirror,
      telemetry: this.#telemetry,
    };
  }

  /**
   * Follows the server until the signal aborts, and then resolves. Rejects only if a subscriber threw,
   * which is a bug.
   */
  async run(signal: AbortSignal): Promise<void> {
    let step: Step = firstStep;
    while (!signal.aborted) {
      const startMs = this.#parts.clock.monotonic();
      const outcome = await this.#take(step, signal);
      if (signal.aborted) return;
      const livedMs = this.#parts.clock.monotonic() - startMs;
      const ended = instantOf(this.#parts.clock);
      const waitedMs = await this.#pause(step, { ...outcome, livedMs }, signal);
      // A broken connection may have been dead long before it was noticed.
      const deafSince = outcome.ending === 'broken' ? this.#telemetry.progress : ended;
      // A server that throttles is not away.
      const askedMs = outcome.ending === 'throttled' ? waitedMs : 0;
      const isSoon = sinceMs(this.#parts.clock, deafSince) <= this.#resumeWithinMs(askedMs);
      step = nextStep({ ...outcome, step, version: this.#mirror.version, isSoon });
    }
  }

  /**
   * Reports every known object at once, and every later change until the returned function is called. A
   * late subscriber misses nothing.
   */
  subscribe(subscriber: Subscriber<T>): () => void {
    for (const object of this.#mirror.objects.values()) subscriber({ kind: 'added', object });
    return this.#mirror.subscribers.add(subscriber);
  }

  /** Resolves when a whole list is in the cache and every subscriber knows every object in it. */
  whenSynced(signal: AbortSignal): Promise<void> {
    return untilAborted(signal, this.#mirror.synced);
  }

  /**
   * Whether everything up to a version, such as that of an own write, is in the cache, so that a
   * controller sees its own writes before it decides again (M4). Callers must limit their wait: a watch
   * can be down for minutes, and a server that was restored to an older state has lost the write and may
   * not reach that version for hours.
   */
  hasReached(resourceVersion: string): boolean {
    const { version } = this.#mirror;
    return version !== undefined && !isOlder(version, resourceVersion);
  }

  /**
   * Reads a consistent list now. When it resolves, the cache holds everything that was stored before the
   * call, however far behind the watch is, and every subscriber knows it. For decisions that must not
   * miss a write of another process. Rejects if the list cannot be read.
   */
  catchUp(signal: AbortSignal): Promise<void> {
    return overtakeByPages(this.#parts, signal);
  }

  /**
   * Whether the cache holds everything that was stored before this time of the monotonic clock: it does if its
   * last consistent list was asked for since then.
   */
  showsAllBefore(timeMs: number): boolean {
    return this.#mirror.consistentAtMs >= timeMs;
  }

  /** By name, or by `namespace/name`. */
  get(key: string): T | undefined {
    return this.#mirror.objects.get(key);
  }

  list(): Iterable<T> {
    return this.#mirror.objects.values();
  }

  get facts(): InformerFacts {
    const { clock } = this.#parts;
    return {
      isSynced: this.#mirror.version !== undefined,
      objects: this.#mirror.objects.size,
      resourceVersion: this.#mirror.version,
      sinceProgressMs: clock.monotonic() - this.#telemetry.progress.monotonicMs,
      problem: this.#telemetry.problem,
    };
  }

  #take(step: Step, signal: AbortSignal): Promise<Outcome> {
    return step.kind === 'pages'
      ? takePages(this.#parts, step, signal)
      : takeWatch(this.#parts, step, signal);
  }

  /** Waits before the next step, and returns the intended delay. */
  async #pause(
    step: Step,
    last: Outcome & { readonly livedMs: number },
    signal: AbortSignal,
  ): Promise<number> {
    const retryAfterMs = retryAfterMsOf(last.err);
    const delayMs = this.#stepDelay.delayMs({ ...last, retryAfterMs });
    this.#telemetry.ended(step, last, delayMs);
    // An abort ends the pause, and the loop.
    if (delayMs > 0) await sleep(this.#parts.clock, delayMs, signal).catch(() => undefined);
    return delayMs;
  }

  /**
   * How long after the last message of the server a watch may resume, given the delay that it asked for.
   */
  #resumeWithinMs(askedMs: number): number {
    const { resumeWithinMs, resumeAfterWaitMsMax } = this.#parts.limits;
    return resumeWithinMs + Math.min(askedMs, resumeAfterWaitMsMax);
  }
}
