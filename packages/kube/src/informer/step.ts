/**
 * What an informer does next, decided from what it did last and how that ended. Pure: the whole
 * behaviour towards a server that restarts, forgets, lags or was restored is in `nextStep`.
 *
 * Versions are only ever lowered by a list that names none (`atLeast: undefined`). Such a list is asked
 * for in three cases: nothing is held yet; the server says that it no longer has, or does not yet have,
 * the version held; it broke its word and sent an older one.
 */
import { CcmError } from '@tandem/runtime';
import { ApiError, type ApiStatus } from '../client/index.ts';
import { DecodeError } from '../codec/index.ts';

export type Step =
  /** A list and a watch in one stream. */
  | { readonly kind: 'stream'; readonly atLeast: string | undefined }
  /** A list in pages, for servers that do not stream lists. */
  | { readonly kind: 'pages'; readonly atLeast: string | undefined }
  /** A watch that goes on where the last one ended. */
  | { readonly kind: 'resume'; readonly from: string };

export type Ending =
  /** All pages were read. */
  | 'listed'
  /** The server ended the watch in good order. */
  | 'closed'
  /** The connection of a stream was lost. */
  | 'broken'
  /** No answer, or one of a server in trouble. */
  | 'unreachable'
  /** The server asks to come later. */
  | 'throttled'
  /** The server no longer has the version asked for: 410. */
  | 'expired'
  /** The server does not have the version asked for yet: it lags, or was restored. */
  | 'ahead'
  /** A streaming list was refused, or did not come to its end. */
  | 'not streamed'
  /** A watch said nothing for too long. */
  | 'silent'
  | 'undecodable'
  /** A list that had to be new enough was not, or a watch went back. */
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
  /** Whether the step brought a whole list, or began with one: then its watch can be gone on with. */
  readonly isComplete: boolean;
  /** Whether the server is asked again soon enough for a watch to be gone on with. */
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
    // A server that was away, or is not well, may come back as another: the list finds out.
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
      // A server that does not know streaming lists sends an ordinary watch, which just ends.
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

/** Of an error in place of an answer, or of an answer that could not be read. */
export function endingOfError(err: unknown): Ending {
  if (err instanceof ApiError) return endingOfStatus(err.status);
  return err instanceof DecodeError ? 'undecodable' : 'unreachable';
}

/** Of a refusal, inside a stream or in its place. */
function endingOfStatus({ code, reason, causes }: ApiStatus): Ending {
  const isAhead = causes.some((cause) => cause.reason === 'ResourceVersionTooLarge');
  if (isAhead) return 'ahead';
  if (code === 410 || reason === 'Expired' || reason === 'Gone') return 'expired';
  if (code === 429) return 'throttled';
  return code >= 500 ? 'unreachable' : 'refused';
}

/** A server without streaming lists says 422; one before 1.27 may not know the parameter: 400. */
export function isStreamingRefused(err: unknown): boolean {
  return err instanceof ApiError && [400, 422].includes(err.status.code);
}

/** How long the server asks to wait, if it does. */
export function retryAfterMsOf(err: unknown): number {
  if (!(err instanceof CcmError)) return 0;
  return typeof err.retry === 'object' ? err.retry.afterMs : 0;
}
