/**
 * Asks the API server whether this program has a permission, by SelfSubjectAccessReview. The server stores no reviews, so
 * a retry is always safe: while the server is away, the question is repeated until the signal aborts. A missing answer
 * is never taken for a denial (P3).
 */
import type { KubeClient, Resource } from '@tandem/kube/client';
import { CcmError, type Clock, fieldOf, sleep } from '@tandem/runtime';
import type { Permission } from './permissions.ts';

export type Verdict =
  | { readonly kind: 'allowed' }
  /** `reason` is the authorizer's message, if it has one. */
  | { readonly kind: 'denied'; readonly reason: string | undefined }
  /** The API server gave no answer, and trying again will not change that. */
  | { readonly kind: 'unknown'; readonly err: unknown };

export interface ReviewOptions {
  readonly client: KubeClient;
  readonly clock: Clock;
  readonly signal: AbortSignal;
}

const reviews: Resource = {
  group: 'authorization.k8s.io',
  version: 'v1',
  resource: 'selfsubjectaccessreviews',
};

/** The limit of one try. */
const limitMs = 10_000;

/** The wait between tries. An API server restarts within a few of them. */
const retryMs = 5_000;

/** Reviews a permission. If the permission has another group with the same access, either suffices. */
export async function reviewPermission(
  permission: Permission,
  options: ReviewOptions,
): Promise<Verdict> {
  const verdict = await review(permission, options);
  const { otherGroup } = permission;
  if (verdict.kind !== 'denied' || otherGroup === undefined) return verdict;
  const other = await review({ ...permission, group: otherGroup }, options);
  return other.kind === 'allowed' ? other : verdict;
}

async function review(permission: Permission, options: ReviewOptions): Promise<Verdict> {
  const { client, clock, signal } = options;
  let last: unknown;
  for (;;) {
    try {
      signal.throwIfAborted();
      const { body } = await client.call({
        verb: 'create',
        resource: reviews,
        body: bodyOf(permission),
        limitMs,
        signal,
        priority: 'background',
        retries: false,
      });
      return verdictIn(body);
    } catch (err) {
      const canPass = err instanceof CcmError && err.retry !== 'never';
      // The last failure says more than the end of the wait.
      if (signal.aborted) return { kind: 'unknown', err: last ?? err };
      if (!canPass) return { kind: 'unknown', err };
      last = err;
      await sleep(clock, waitMs(err), signal).catch(() => undefined);
    }
  }
}

function waitMs({ retry }: CcmError): number {
  return typeof retry === 'object' ? Math.max(retry.afterMs, retryMs) : retryMs;
}

function bodyOf({ verb, group, resource: full, namespace, name }: Permission): object {
  const [resource, subresource] = full.split('/');
  const resourceAttributes = { verb, group, resource, subresource, namespace, name };
  return {
    apiVersion: `${reviews.group}/${reviews.version}`,
    kind: 'SelfSubjectAccessReview',
    spec: { resourceAttributes },
  };
}

function verdictIn(body: Uint8Array): Verdict {
  const answer: unknown = JSON.parse(new TextDecoder().decode(body));
  const status = fieldOf(answer, 'status');
  const isAllowed = fieldOf(status, 'allowed');
  if (typeof isAllowed !== 'boolean') {
    return { kind: 'unknown', err: new TypeError('The API server returned no review') };
  }
  if (isAllowed && fieldOf(status, 'denied') !== true) return { kind: 'allowed' };
  const words = [fieldOf(status, 'reason'), fieldOf(status, 'evaluationError')];
  const reason = words.find((text) => typeof text === 'string' && text !== '');
  return { kind: 'denied', reason: typeof reason === 'string' ? reason : undefined };
}
