/**
 * Whose a token is, by TokenReview, with an answer kept for a short while. Tokens are known to the
 * cache by their hash only. Good and bad ones are kept apart, so that a flood of bad ones does not
 * push out the good.
 */
import { createHash } from 'node:crypto';
import { type Clock, isRecord } from '@tandem/runtime';
import { ExpiringCache } from '../review/expiring-cache.ts';
import { type Reviewer } from '../review/reviewer.ts';
import { SharedFlights } from '../review/shared-flights.ts';
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

/** Far more identities than scrape one manager. */
const entriesMax = 1_000;

export class TokenReviews {
  readonly #options: TokenReviewsOptions;
  readonly #good: ExpiringCache<TokenVerdict>;
  readonly #bad: ExpiringCache<TokenVerdict>;
  readonly #flights: SharedFlights<TokenVerdict>;

  constructor(options: TokenReviewsOptions) {
    const { clock, ttlMs } = options;
    this.#options = options;
    this.#good = new ExpiringCache({ clock, ttlMs, entriesMax });
    this.#bad = new ExpiringCache({ clock, ttlMs, entriesMax });
    this.#flights = new SharedFlights(clock);
  }

  /** Rejects when nobody could be asked in time; that is no verdict and is not kept. */
  async verdictOn(token: string, limitMs: number): Promise<TokenVerdict> {
    const key = createHash('sha256').update(token).digest('base64');
    const known = this.#good.get(key) ?? this.#bad.get(key);
    this.#options.onLookup(known === undefined ? 'miss' : 'hit');
    if (known !== undefined) return known;
    return this.#flights.run(key, { limitMs, ask: () => this.#ask(token, key) });
  }

  async #ask(token: string, key: string): Promise<TokenVerdict> {
    const verdict = verdictIn(await this.#options.reviewer.review({ token }));
    (verdict.kind === 'identified' ? this.#good : this.#bad).set(key, verdict);
    return verdict;
  }
}

/** Whatever is not a plain yes with a name is a no. */
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
