/**
 * Sends a guarded patch and says what came of it. Where the answer got lost it does not guess: it reads
 * the object back, and where the write is not there, sends the same patch again, which is harmless
 * should the first one still arrive (P7).
 */
import type { CcmError } from '@tandem/runtime';
import { type Call, hasStatus, type KubeClient } from '../client/index.ts';
import { answerVersion, metadataOnly, parseJson, versionOf } from './answer-version.ts';
import { type GuardedPatch, patchBody } from './guarded-patch.ts';
import { outcomeOfFailure, type PatchOutcome } from './patch-outcome.ts';

export interface ApplyOptions {
  readonly client: KubeClient;
  readonly signal?: AbortSignal;
  /** For each call. */
  readonly limitMs?: number;
  /** Whether the whole object is wanted back, for a write that depends on what it has become. */
  readonly wantsObject?: boolean;
}

/** How often one patch is sent while its outcome stays unknown. */
const sendsMax = 3;

/**
 * Rejects only with a failure that had no effect and says nothing about the patch (its `retry` says
 * when to try again), or with the signal's reason. After a try without an answer, what becomes of the next
 * one says nothing about the first, which may still be stored: only the object itself settles it.
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
  /** `isFinal`: this try was turned down or not made, and an earlier one may still be stored. */
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

async function send(patch: GuardedPatch, options: ApplyOptions): Promise<PatchOutcome> {
  const call: Call = {
    verb: 'patch',
    resource: patch.resource,
    ...patchBody(patch),
    accept: options.wantsObject === true ? 'application/json' : metadataOnly,
  };
  try {
    const { body } = await options.client.call({ ...call, ...limits(options) });
    if (options.wantsObject === true) return applied(parseJson(body), options);
    return { kind: 'applied', resourceVersion: answerVersion(body) };
  } catch (err) {
    const outcome = outcomeOfFailure(err);
    if (outcome === undefined) throw err;
    return outcome;
  }
}

/** What the object itself says, or `undefined` where it does not tell (yet). */
async function readBack(
  { resource, isWritten }: GuardedPatch,
  options: ApplyOptions,
): Promise<PatchOutcome | undefined> {
  const { subresource: _, ...object } = resource;
  try {
    const answer = await options.client.call({ verb: 'get', resource: object, ...limits(options) });
    const live = parseJson(answer.body);
    return isWritten(live) ? applied(live, options) : undefined;
  } catch (err) {
    if (hasStatus(err, 404)) return { kind: 'gone' };
    if (options.signal?.aborted) throw err;
    // A read that fails leaves the outcome as unknown as it was; the failure to report is the write's.
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
