/**
 * One watch, from its request to its end: a streaming list that continues as a watch, or a watch that
 * continues from a version.
 */
import { ApiError, type ApiStatus } from '../client/index.ts';
import { acceptHeader, codecOf, keyOf, type ObjectFacts, type WatchEvent } from '../codec/index.ts';
import { Silence } from '../silence.ts';
import { type Ending, endingOfError, isStreamingRefused, type Step } from './step.ts';
import { keepList, type Outcome, type StepParts } from './step-parts.ts';
import { SubscriberFailedError } from './subscribers.ts';

type WatchStep = Exclude<Step, { kind: 'pages' }>;

/** Returns how it ended. Rejects only if a subscriber failed. */
export async function takeWatch<T extends ObjectFacts>(
  parts: StepParts<T>,
  step: WatchStep,
  signal: AbortSignal,
): Promise<Outcome> {
  const { clock, limits } = parts;
  // The client has its own limit for the head of the answer.
  using silence = new Silence(clock, signal, limits.answerMs + limits.listSilenceMs);
  const reading = new WatchReading(parts, step);
  const progress: Progress = { phase: 'opening' };
  try {
    const ending = await read(parts, { step, silence, reading, progress });
    return { ending, isComplete: reading.isComplete };
  } catch (err) {
    if (err instanceof SubscriberFailedError) throw err;
    const ending = endingOf(err, { step, signal, silence, reading, progress });
    return { ending, isComplete: reading.isComplete, err };
  }
}

interface Watch<T extends ObjectFacts> {
  readonly step: WatchStep;
  readonly silence: Silence;
  readonly reading: WatchReading<T>;
  readonly progress: Progress;
}

interface Progress {
  phase: 'opening' | 'waiting' | 'reading';
}

async function read<T extends ObjectFacts>(parts: StepParts<T>, watch: Watch<T>): Promise<Ending> {
  const { limits, telemetry, clock } = parts;
  const { step, silence, reading, progress } = watch;
  const askedMs = clock.monotonic();
  const { headers, body } = await parts.client.open({
    resource: parts.resource,
    query: { ...parts.selectors, ...watchQuery(parts, step) },
    accept: acceptHeader('watch', parts.encoding),
    limitMs: limits.answerMs,
    signal: silence.signal,
  });
  const isLate = clock.monotonic() - askedMs > limits.resumeWithinMs;
  if (step.kind === 'resume' && isLate) return 'unreachable';
  progress.phase = 'reading';
  const codec = codecOf(headers);
  const pieces = codec.splitWatch();
  const allowedMs = (): number => (reading.isComplete ? limits.silenceMs : limits.listSilenceMs);
  silence.allow(allowedMs());
  progress.phase = 'waiting';
  const take = (piece: Uint8Array): void => reading.take(codec.readEvent(piece, parts.reader));
  for await (const chunk of body) {
    progress.phase = 'reading';
    const wasComplete = reading.isComplete;
    pieces.push(chunk, take);
    if (reading.ending !== undefined) return reading.ending;
    const nowMs = clock.monotonic();
    silence.heard(nowMs);
    telemetry.progressed(parts.mirror.objects.size, nowMs);
    if (reading.isComplete !== wasComplete) silence.allow(allowedMs());
    progress.phase = 'waiting';
  }
  return pieces.isWithinPiece ? 'broken' : 'closed';
}

function watchQuery<T extends ObjectFacts>(
  { limits, random }: StepParts<T>,
  step: WatchStep,
): Readonly<Record<string, string>> {
  const { watchMsMin, watchMsMax } = limits;
  const watchMs = watchMsMin + random.next() * (watchMsMax - watchMsMin);
  const version = step.kind === 'stream' ? step.atLeast : step.from;
  return {
    watch: '1',
    allowWatchBookmarks: 'true',
    timeoutSeconds: String(Math.ceil(watchMs / 1000)),
    ...(step.kind === 'stream'
      ? { sendInitialEvents: 'true', resourceVersionMatch: 'NotOlderThan' }
      : {}),
    ...(version === undefined ? {} : { resourceVersion: version }),
  };
}

function endingOf<T extends ObjectFacts>(
  err: unknown,
  { step, signal, silence, reading, progress }: Watch<T> & { readonly signal: AbortSignal },
): Ending {
  if (signal.aborted) return 'stopped';
  if (silence.isBroken) return silentEnding(reading, progress);
  switch (progress.phase) {
    case 'opening':
      return step.kind === 'stream' && isStreamingRefused(err)
        ? 'not streamed'
        : endingOfError(err);
    case 'waiting':
      return 'broken';
    case 'reading':
      // Whatever went wrong here, including a bug in the reader, an event was lost.
      return err instanceof ApiError ? endingOfError(err) : 'undecodable';
  }
}

function silentEnding<T extends ObjectFacts>(
  { isComplete }: WatchReading<T>,
  { phase }: Progress,
): Ending {
  if (phase === 'opening') return 'unreachable';
  return isComplete ? 'silent' : 'not streamed';
}

/**
 * Reads the events of one watch in order. Events before the bookmark that ends the list are collected
 * without notifying subscribers. Each later event is applied at once.
 */
class WatchReading<T extends ObjectFacts> {
  readonly #parts: Pick<StepParts<T>, 'mirror' | 'telemetry'>;
  /** When the stream was asked for, if its list is consistent and may therefore go back. */
  readonly #consistentAtMs: number | undefined;
  readonly #overtakesBefore: number;
  /** The objects of the current list. */
  #listing: Map<string, T> | undefined;
  #ending: Ending | undefined;

  constructor(parts: Pick<StepParts<T>, 'mirror' | 'telemetry' | 'clock'>, step: WatchStep) {
    this.#parts = parts;
    const isConsistent = step.kind === 'stream' && step.atLeast === undefined;
    this.#consistentAtMs = isConsistent ? parts.clock.monotonic() : undefined;
    this.#overtakesBefore = parts.mirror.overtakes;
    this.#listing = step.kind === 'stream' ? new Map() : undefined;
  }

  /** Set when the watch cannot continue. Later events are ignored. */
  get ending(): Ending | undefined {
    return this.#ending;
  }

  /** Whether the list is complete, so that changes follow. */
  get isComplete(): boolean {
    return this.#listing === undefined;
  }

  take(event: WatchEvent<T>): void {
    if (this.#ending !== undefined) return;
    if (event.kind === 'error') throw refusedInStream(event.status);
    if (this.#listing === undefined) this.#apply(event);
    else this.#collect(this.#listing, event);
  }

  #apply(event: Exclude<WatchEvent<T>, { kind: 'error' }>): void {
    const { mirror, telemetry } = this.#parts;
    const isBookmark = event.kind === 'bookmark';
    const applied = isBookmark ? mirror.bookmark(event.resourceVersion) : mirror.apply(event);
    if (!isBookmark) telemetry.sawEvent(applied);
    if (applied === 'stale') this.#ending = 'stale';
  }

  #collect(listing: Map<string, T>, event: Exclude<WatchEvent<T>, { kind: 'error' }>): void {
    // Changes may arrive before the list is complete; they are part of it.
    if (event.kind === 'deleted') listing.delete(keyOf(event.object));
    else if (event.kind !== 'bookmark') listing.set(keyOf(event.object), event.object);
    else if (event.endsInitialEvents) this.#finish(listing, event.resourceVersion);
  }

  #finish(objects: Map<string, T>, resourceVersion: string): void {
    // A list that overtook this one was requested later.
    const isLatest = this.#parts.mirror.overtakes === this.#overtakesBefore;
    const consistentAtMs = this.#consistentAtMs;
    const mayGoBack = consistentAtMs !== undefined && isLatest;
    const listing = { objects, resourceVersion, mayGoBack, consistentAtMs };
    if (keepList(this.#parts, listing) === 'stale') this.#ending = 'stale';
    else this.#listing = undefined;
  }
}

/** Errors of a watch arrive inside the stream, with HTTP 200. */
function refusedInStream(status: ApiStatus): ApiError {
  const { code, message, retryAfterSeconds } = status;
  return new ApiError(`The API server ended the watch with ${code}: ${message}`, {
    code: 'WatchRefused',
    retry: retryAfterSeconds === undefined ? 'backoff' : { afterMs: retryAfterSeconds * 1000 },
    effect: 'none',
    status,
  });
}
