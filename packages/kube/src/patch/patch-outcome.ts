/**
 * The outcomes of a guarded patch, as values. A failed guard and a refused write both come as 422, the
 * first without causes and the second with them.
 */
import { CcmError } from '@tandem/runtime';
import { ApiError } from '../client/index.ts';

export type PatchOutcome =
  /**
   * Stored. The cache must reach this version before the next decision (M4). The object is set if
   * requested.
   */
  | {
      readonly kind: 'applied';
      readonly resourceVersion: string | undefined;
      readonly object?: unknown;
    }
  /** Not stored, because the object has changed since the plan: read it and plan again. */
  | { readonly kind: 'guardFailed'; readonly err: ApiError }
  /** Not stored, because the API server found the new object invalid; the causes say where. */
  | { readonly kind: 'refused'; readonly err: ApiError }
  /** Not stored, because RBAC, an admission webhook or a quota forbids it. */
  | { readonly kind: 'denied'; readonly err: ApiError }
  /** There is no such object. */
  | { readonly kind: 'gone' }
  /** Perhaps stored; reading back did not show it. Reservations stay. */
  | { readonly kind: 'unknown'; readonly err: CcmError };

/**
 * The outcome that a failed call means; `undefined` for a failure that says nothing about the patch, such
 * as an overloaded or unreachable server.
 */
export function outcomeOfFailure(err: unknown): PatchOutcome | undefined {
  if (!(err instanceof CcmError)) return undefined;
  if (err.effect === 'unknown') return { kind: 'unknown', err };
  if (err.effect === 'applied') return { kind: 'applied', resourceVersion: undefined };
  return err instanceof ApiError ? outcomeOfAnswer(err) : undefined;
}

function outcomeOfAnswer(err: ApiError): PatchOutcome | undefined {
  const { code, reason, causes } = err.status;
  if (code === 404) return { kind: 'gone' };
  // The API server itself retries a patch on a conflict. That much contention needs a new read.
  if (code === 409) return { kind: 'guardFailed', err };
  if (code === 422 && isOvertaken(causes)) return { kind: 'guardFailed', err };
  if (code === 422 && causes.length > 0) return { kind: 'refused', err };
  if (code === 422 && reason === 'Invalid') return { kind: 'guardFailed', err };
  return isAnswered(code) ? { kind: 'denied', err } : undefined;
}

/**
 * Whether the only fault is a duplicate taint. A patch adds only missing taints, so another program, such
 * as kube-controller-manager, has added it meanwhile.
 */
function isOvertaken(causes: ApiError['status']['causes']): boolean {
  const isTaint = ({ reason, field }: (typeof causes)[number]): boolean =>
    reason === 'FieldValueDuplicate' && /^(?:metadata|spec)\.taints\[\d+\]$/.test(field);
  return causes.length > 0 && causes.every(isTaint);
}

/**
 * Whether the server considered the request, which it does not with bad credentials or while it
 * throttles.
 */
function isAnswered(code: number): boolean {
  return code >= 400 && code < 500 && code !== 401 && code !== 408 && code !== 429;
}
