/** Identifies the user of a token by TokenReview, and caches the answer for a short time by the hash of the token. */
import { type Clock, isRecord } from '@tandem/runtime';
import { KeptVerdicts } from '../review/kept-verdicts.ts';
import type { Reviewer } from '../review/reviewer.ts';
import type { Identity } from './identity.ts';

type TokenVerdict =
  | { readonly kind: 'identified'; readonly identity: Identity }
  | { readonly kind: 'refused' };

interface TokenReviewsOptions {
  readonly reviewer: Reviewer;
  readonly clock: Clock;
  readonly ttlMs: number;
  readonly onLookup: (status: 'hit' | 'miss') => void;
}

export class TokenReviews {
  readonly #reviewer: Reviewer;
  readonly #verdicts: KeptVerdicts<TokenVerdict>;

  constructor({ reviewer, clock, ttlMs, onLookup }: TokenReviewsOptions) {
    this.#reviewer = reviewer;
    this.#verdicts = new KeptVerdicts({
      clock,
      goodTtlMs: ttlMs,
      badTtlMs: ttlMs,
      isGood: ({ kind }) => kind === 'identified',
      onLookup,
    });
  }

  /** Rejects if the API server does not answer in time. The failure is not cached. */
  verdictOn(token: string, limitMs: number): Promise<TokenVerdict> {
    const ask = async (): Promise<TokenVerdict> =>
      verdictIn(await this.#reviewer.review({ token }));
    return this.#verdicts.on(token, { limitMs, ask });
  }
}

/** Returns a refusal unless the status is authenticated and names a user. */
export function verdictIn(status: Readonly<Record<string, unknown>>): TokenVerdict {
  const user = status['user'];
  if (status['authenticated'] !== true || !isRecord(user)) return { kind: 'refused' };
  const name = user['username'];
  if (typeof name !== 'string' || name === '') return { kind: 'refused' };
  const uid = typeof user['uid'] === 'string' ? user['uid'] : '';
  const extra = isRecord(user['extra']) ? user['extra'] : {};
  return {
    kind: 'identified',
    identity: {
      name,
      uid,
      groups: textsIn(user['groups']),
      extra: Object.fromEntries(Object.entries(extra).map(([key, value]) => [key, textsIn(value)])),
    },
  };
}

function textsIn(value: unknown): string[] {
  return Array.isArray(value) ? value.filter((item) => typeof item === 'string') : [];
}
