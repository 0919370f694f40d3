/**
 * What an informer does next, decided from its last step and how that ended. It is pure: `nextStep` has
 * the whole behaviour towards a server that restarts, forgets, lags or was restored.
 *
 * Only a list without a version (`atLeast: undefined`) can lower the version. The informer requests one
 * in three cases: it holds nothing yet; the server no longer has, or does not yet have, the version that
 * the informer holds; the server broke its contract and sent an older one.
 */
import { backoffDelayMs, CcmError, type Random } from '@tandem/runtime';
import { ApiError, type ApiStatus } from '../client/index.ts';
import { DecodeError } from '../codec/index.ts';
import type { InformerLimits } from './limits.ts';

export type Step =
  /** A list and a watch in one stream. */
  | { readonly kind: 'stream'; readonly atLeast: string | undefined }
  /** A list in pages, for servers that do not stream lists. */
  | { readonly kind: 'pages'; readonly atLeast: string | undefined }
  /** A watch that continues where the last one ended. */
  | { readonly kind: 'resume'; readonly from: string };

export type Ending =
  /** All pages were read. */
  | 'listed'
  /** The server ended the watch as usual. */
  | 'closed'
  /** The connection of a stream was lost. */
  | 'broken'
  /** No answer, or a server failure. */
  | 'unreachable'
  /** The server throttles. */
  | 'throttled'
  /** 410: the server no longer has the requested version. */
  | 'expired'
  /** The server does not have the requested version yet: it lags, or was restored. */
  | 'ahead'
  /** A streaming list was refused or did not complete. */
  | 'not streamed'
  /** A watch was silent for too long. */
  | 'silent'
  | 'undecodable'
  /** A list was older than required, or a watch went back. */
  | 'stale'
  /** Any other refusal: not allowed, not found, an internal error inside the stream. */
  | 'refused'
  | 'stopped';

export const firstStep: Step = { kind: 'stream', atLeast: undefined };

interface Taken {
  readonly step: Step;
  readonly ending: Ending;
  /** The version held now; undefined before the first list. */
  readonly version: string | undefined;
  /** Whether the step delivered a whole list, or began with one: then its watch can continue. */
  readonly isComplete: boolean;
  /** Whether a watch may still continue. */
  readonly isSoon: boolean;
}

export function nextStep({ step, ending, version, isComplete, isSoon }: Taken): Step {
  if (version === undefined || !isComplete) return afterIncomplete(step, ending);
  switch (ending) {
    case 'listed':
    case 'closed':
    case 'broken':
    case 'throttled':
      return isSoon ? { kind: 'resume', from: version } : { kind: 'stream', atLeast: version };
    case 'ahead':
      return { kind: 'stream', atLeast: undefined };
    // A server that was away or is unhealthy may return with another state. The list shows it.
    case 'unreachable':
    case 'refused':
    case 'expired':
    case 'silent':
    case 'undecodable':
    case 'stale':
    case 'not streamed':
    case 'stopped':
      return { kind: 'stream', atLeast: version };
  }
}

function afterIncomplete(step: Step, ending: Ending): Step {
  const atLeast = step.kind === 'resume' ? step.from : step.atLeast;
  switch (ending) {
    case 'expired':
    case 'ahead':
    case 'stale':
      return { kind: 'stream', atLeast: undefined };
    case 'not streamed':
      return { kind: 'pages', atLeast };
    case 'closed':
      // A server without streaming lists sends an ordinary watch, which just ends.
      return { kind: step.kind === 'stream' ? 'pages' : 'stream', atLeast };
    case 'listed':
    case 'broken':
    case 'throttled':
    case 'unreachable':
    case 'refused':
    case 'silent':
    case 'undecodable':
    case 'stopped':
      return { kind: 'stream', atLeast };
  }
}

/** The ending that an error means. */
export function endingOfError(err: unknown): Ending {
  if (err instanceof ApiError) return endingOfStatus(err.status);
  return err instanceof DecodeError ? 'undecodable' : 'unreachable';
}

/** The ending that a refusal means, inside a stream or in its place. */
function endingOfStatus({ code, reason, causes }: ApiStatus): Ending {
  const isAhead = causes.some((cause) => cause.reason === 'ResourceVersionTooLarge');
  if (isAhead) return 'ahead';
  if (code === 410 || reason === 'Expired' || reason === 'Gone') return 'expired';
  if (code === 429) return 'throttled';
  return code >= 500 ? 'unreachable' : 'refused';
}

/**
 * A server without streaming lists answers 422. One before 1.27 may not know the parameter: 400.
 */
export function isStreamingRefused(err: unknown): boolean {
  return err instanceof ApiError && [400, 422].includes(err.status.code);
}

/** The delay that the server asks for; 0 if it does not. */
export function retryAfterMsOf(err: unknown): number {
  if (!(err instanceof CcmError)) return 0;
  return typeof err.retry === 'object' ? err.retry.afterMs : 0;
}

/**
 * The delay before the next step. It grows with consecutive failures and has jitter, so that the
 * informers of a restarted API server do not all return at once.
 */
export class StepDelay {
  readonly #random: Random;
  readonly #limits: InformerLimits;
  #failures = 0;

  constructor(random: Random, limits: InformerLimits) {
    this.#random = random;
    this.#limits = limits;
  }

  /** The delay after a step that lived so long and ended like this. */
  delayMs(last: {
    readonly ending: Ending;
    readonly livedMs: number;
    readonly retryAfterMs: number;
  }): number {
    const isSettled = last.livedMs >= this.#limits.settledMs;
    if (isSettled) this.#failures = 0;
    const isInOrder =
      last.ending === 'listed' ||
      last.ending === 'not streamed' ||
      // A server that ends every watch at once must not cause a busy loop.
      (last.ending === 'closed' && isSettled);
    if (isInOrder) return 0;
    const { retryDelayMsMin, retryDelayMsMax, retryAfterMsMax } = this.#limits;
    this.#failures += 1;
    const backoff = { baseMs: retryDelayMsMin, capMs: retryDelayMsMax, jitter: 0.5 };
    const askedMs = Math.min(last.retryAfterMs, retryAfterMsMax);
    return Math.max(backoffDelayMs(backoff, this.#failures, this.#random), askedMs);
  }
}
