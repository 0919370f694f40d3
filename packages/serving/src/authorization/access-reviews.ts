/** Decides by SubjectAccessReview whether a user may access a path. Caches both answers, each for its own time. */
import type { Clock } from '@tandem/runtime';
import type { Identity } from '../authentication/identity.ts';
import { KeptVerdicts } from '../review/kept-verdicts.ts';
import type { Reviewer } from '../review/reviewer.ts';

/** The access that a review is about. */
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

/** How long a caller waits. A review has a shorter limit and ends first. */
const limitMs = 15_000;

export class AccessReviews {
  readonly #reviewer: Reviewer;
  readonly #verdicts: KeptVerdicts<boolean>;

  constructor({ reviewer, clock, allowTtlMs, denyTtlMs }: AccessReviewsOptions) {
    this.#reviewer = reviewer;
    this.#verdicts = new KeptVerdicts({
      clock,
      goodTtlMs: allowTtlMs,
      badTtlMs: denyTtlMs,
      isGood: (isAllowed) => isAllowed,
    });
  }

  /** Rejects if the API server does not answer. The failure is not cached. */
  isAllowed(access: Access): Promise<boolean> {
    const spec = specOf(access);
    const ask = async (): Promise<boolean> => {
      const status = await this.#reviewer.review(spec);
      return status['allowed'] === true && status['denied'] !== true;
    };
    return this.#verdicts.on(JSON.stringify(spec), { limitMs, ask });
  }
}

function specOf({ identity, verb, path }: Access): object {
  const { name, uid, groups, extra } = identity;
  return { nonResourceAttributes: { path, verb }, user: name, groups, uid, extra };
}
