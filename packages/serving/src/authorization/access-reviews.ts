/**
 * Whether somebody may do something to a path, by SubjectAccessReview, with the answer kept for a short
 * while. Yes and no are kept apart, each for its own time.
 */
import { createHash } from 'node:crypto';
import type { Clock } from '@tandem/runtime';
import type { Identity } from '../authentication/identity.ts';
import { ExpiringCache } from '../review/expiring-cache.ts';
import type { Reviewer } from '../review/reviewer.ts';
import { SharedFlights } from '../review/shared-flights.ts';

/** What is asked for. */
export interface Access {
  readonly identity: Identity;
  /** The method in lower case. */
  readonly verb: string;
  readonly path: string;
}

interface AccessReviewsOptions {
  readonly reviewer: Reviewer;
  readonly clock: Clock;
  readonly allowTtlMs: number;
  readonly denyTtlMs: number;
}

/** Whoever has no rights chooses the paths, so that their answers must not fill the memory. */
const entriesMax = 1_000;

/** Longer than a review takes at the most; it ends by itself before. */
const limitMs = 15_000;

export class AccessReviews {
  readonly #options: AccessReviewsOptions;
  readonly #allowed: ExpiringCache<true>;
  readonly #denied: ExpiringCache<true>;
  readonly #flights: SharedFlights<boolean>;

  constructor(options: AccessReviewsOptions) {
    const { clock, allowTtlMs, denyTtlMs } = options;
    this.#options = options;
    this.#allowed = new ExpiringCache({ clock, ttlMs: allowTtlMs, entriesMax });
    this.#denied = new ExpiringCache({ clock, ttlMs: denyTtlMs, entriesMax });
    this.#flights = new SharedFlights(clock);
  }

  /** Rejects when nobody could be asked; that is no answer and is not kept. */
  async isAllowed(access: Access): Promise<boolean> {
    const spec = specOf(access);
    const key = createHash('sha256').update(JSON.stringify(spec)).digest('base64');
    if (this.#allowed.get(key) !== undefined) return true;
    if (this.#denied.get(key) !== undefined) return false;
    return this.#flights.run(key, { limitMs, ask: () => this.#ask(spec, key) });
  }

  async #ask(spec: object, key: string): Promise<boolean> {
    const status = await this.#options.reviewer.review(spec);
    const isAllowed = status['allowed'] === true && status['denied'] !== true;
    (isAllowed ? this.#allowed : this.#denied).set(key, true);
    return isAllowed;
  }
}

function specOf({ identity, verb, path }: Access): object {
  const { name, uid, groups, extra } = identity;
  return { nonResourceAttributes: { path, verb }, user: name, groups, uid, extra };
}
