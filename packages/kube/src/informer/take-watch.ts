/**
 * One watch, from its request to its end: a streaming list that continues as a watch, or a watch that
 * continues from a version.
 */
import { ApiError } from '../client/index.ts';
import { acceptHeader, codecOf, type ObjectFacts, type WatchEvent } from '../codec/index.ts';
import { Silence } from '../silence.ts';
import { type Ending, endingOfError, isStreamingRefused, type Step } from './step.ts';
import type { Outcome, StepParts } from './step-parts.ts';
import { SubscriberFailedError } from './subscribers.ts';
import { WatchReading } from './watch-reading.ts';

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
  const decoder = codecOf(headers).watchDecoder(parts.reader);
  const allowedMs = (): number => (reading.isComplete ? limits.silenceMs : limits.listSilenceMs);
  silence.allow(allowedMs());
  progress.phase = 'waiting';
  const take = (event: WatchEvent<T>): void => reading.take(event);
  for await (const chunk of body) {
    progress.phase = 'reading';
    const wasComplete = reading.isComplete;
    decoder.push(chunk, take);
    if (reading.ending !== undefined) return reading.ending;
    const nowMs = clock.monotonic();
    silence.heard(nowMs);
    telemetry.progressed(parts.mirror.size, nowMs);
    if (reading.isComplete !== wasComplete) silence.allow(allowedMs());
    progress.phase = 'waiting';
  }
  return decoder.isWithinPiece ? 'broken' : 'closed';
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
