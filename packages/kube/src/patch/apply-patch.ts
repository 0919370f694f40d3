/**
 * Sends a guarded patch and returns its outcome. If the answer was lost, it reads the object back; if the
 * write is not there, it sends the same patch again, which is harmless even if the first one still
 * arrives (P7).
 */
import type { CcmError } from '@tandem/runtime';
import { type Call, hasStatus, type KubeClient } from '../client/index.ts';
import { answerVersion, metadataOnly, parseAnswer, versionOf } from './answer-version.ts';
import type { GuardedPatch } from './guarded-patch.ts';
import { outcomeOfFailure, type PatchOutcome } from './patch-outcome.ts';

export interface ApplyOptions {
  readonly client: KubeClient;
  readonly signal?: AbortSignal;
  /** For each call. */
  readonly limitMs?: number;
  /** Whether to return the whole object, for a write that depends on it. */
  readonly wantsObject?: boolean;
}

/** How often a patch is sent while its outcome is unknown. */
const sendsMax = 3;

/**
 * Rejects only with a failure that had no effect and says nothing about the patch (its `retry` says when
 * to try again), or with the signal's reason. After a try without an answer, the outcome of the next try
 * says nothing about the first one, which may still be stored: only the object shows it.
 */
export async function applyPatch(
  patch: GuardedPatch,
  options: ApplyOptions,
): Promise<PatchOutcome> {
  let unanswered: CcmError | undefined;
  for (let sends = 1; ; sends++) {
    const outcome = await sendOrReject(patch, options, unanswered);
    if (outcome.kind !== 'unknown') return outcome;
    if (outcome.isFinal) return { kind: 'unknown', err: outcome.err };
    const found = await readBack(patch, options);
    if (found !== undefined) return found;
    if (sends === sendsMax) return { kind: 'unknown', err: outcome.err };
    unanswered = outcome.err;
  }
}

type Sent =
  | Exclude<PatchOutcome, { kind: 'unknown' }>
  /** `isFinal`: this try was rejected or not made, and an earlier one may still be stored. */
  | { readonly kind: 'unknown'; readonly err: CcmError; readonly isFinal: boolean };

async function sendOrReject(
  patch: GuardedPatch,
  options: ApplyOptions,
  unanswered: CcmError | undefined,
): Promise<Sent> {
  try {
    const outcome = await send(patch, options);
    if (outcome.kind === 'unknown') return { ...outcome, isFinal: false };
    const isTurnedDown = outcome.kind === 'refused' || outcome.kind === 'denied';
    if (!isTurnedDown || unanswered === undefined) return outcome;
  } catch (err) {
    if (unanswered === undefined || options.signal?.aborted === true) throw err;
  }
  return { kind: 'unknown', err: unanswered, isFinal: true };
}

async function send(
  { resource, contentType, body: text }: GuardedPatch,
  options: ApplyOptions,
): Promise<PatchOutcome> {
  const call: Call = {
    verb: 'patch',
    resource,
    contentType,
    body: text,
    accept: options.wantsObject === true ? 'application/json' : metadataOnly,
  };
  try {
    const { body } = await options.client.call({ ...call, ...limits(options) });
    if (options.wantsObject === true) return applied(parseAnswer(body), options);
    return { kind: 'applied', resourceVersion: answerVersion(body) };
  } catch (err) {
    const outcome = outcomeOfFailure(err);
    if (outcome === undefined) throw err;
    return outcome;
  }
}

/** The outcome that the object shows, or `undefined` if it does not show one (yet). */
async function readBack(
  { resource, isWritten }: GuardedPatch,
  options: ApplyOptions,
): Promise<PatchOutcome | undefined> {
  const { subresource: _, ...object } = resource;
  try {
    const answer = await options.client.call({ verb: 'get', resource: object, ...limits(options) });
    const live = parseAnswer(answer.body);
    return isWritten(live) ? applied(live, options) : undefined;
  } catch (err) {
    if (hasStatus(err, 404)) return { kind: 'gone' };
    if (options.signal?.aborted) throw err;
    // After a failed read the outcome is still unknown. The failure to report is that of the write.
    return undefined;
  }
}

function applied(object: unknown, { wantsObject = false }: ApplyOptions): PatchOutcome {
  const stored = { kind: 'applied', resourceVersion: versionOf(object) } as const;
  return wantsObject ? { ...stored, object } : stored;
}

function limits({ signal, limitMs }: ApplyOptions): Pick<Call, 'signal' | 'limitMs'> {
  return {
    ...(signal === undefined ? {} : { signal }),
    ...(limitMs === undefined ? {} : { limitMs }),
  };
}
