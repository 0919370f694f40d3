/**
 * The token of the controllers' service account, kept while it is valid and replaced in time. Callers share one request,
 * and a failed request is not repeated at once. A token that is still valid is used even if replacing it fails.
 */
import type { Clock, Logger } from '@tandem/runtime';
import type { HealthOutcome } from '@tandem/serving';
import type { AccountToken } from './request-token.ts';

interface AccountTokensOptions {
  readonly clock: Clock;
  readonly logger: Logger;
  /** Such as `kube-system/node-controller`. */
  readonly account: string;
  /** Rejects with an error whose message is for operators. */
  readonly request: () => Promise<AccountToken>;
}

/** The share of its lifetime after which a token is replaced. The last fifth leaves time for many failed requests. */
const freshShare = 0.8;

/** The wait after a failed request, and between replacements after refusals of the server. */
const pauseMs = 10_000;

interface Held {
  readonly token: string;
  readonly freshUntilMs: number;
  readonly goodUntilMs: number;
}

export class AccountTokens {
  readonly #options: AccountTokensOptions;
  #held: Held | undefined;
  #failed: { readonly err: unknown; readonly atMs: number } | undefined;
  #asking: Promise<string> | undefined;
  #askedAtMs = Number.NEGATIVE_INFINITY;

  constructor(options: AccountTokensOptions) {
    this.#options = options;
  }

  /** Such as `kube-system/node-controller`. */
  get account(): string {
    return this.#options.account;
  }

  /** The token, if it need not be replaced yet. */
  get fresh(): string | undefined {
    const held = this.#held;
    return held !== undefined && this.#nowMs < held.freshUntilMs ? held.token : undefined;
  }

  /** Rejects if there is no valid token and none can be requested. */
  async get(): Promise<string> {
    const { fresh } = this;
    if (fresh !== undefined) return fresh;
    try {
      const failed = this.#failed;
      if (failed !== undefined && this.#nowMs < failed.atMs + pauseMs) throw failed.err;
      return await this.#ask();
    } catch (err) {
      const held = this.#held;
      if (held !== undefined && this.#nowMs < held.goodUntilMs) return held.token;
      throw err;
    }
  }

  /** Returns a token other than the one that the server refused; undefined if there is none. */
  async renew(refused: string): Promise<string | undefined> {
    const isOther = this.#held !== undefined && this.#held.token !== refused;
    if (isOther) return this.get();
    const isAsked = this.#asking !== undefined;
    if (!isAsked && this.#nowMs < this.#askedAtMs + pauseMs) return undefined;
    const token = await this.#ask();
    return token === refused ? undefined : token;
  }

  /** The readiness check: without a token, the controllers cannot work. */
  check(): HealthOutcome {
    const isGood = this.#held !== undefined && this.#nowMs < this.#held.goodUntilMs;
    if (isGood || this.#failed === undefined) return { ok: true };
    return { ok: false, reason: `no token for the service account ${this.#options.account}` };
  }

  get #nowMs(): number {
    return this.#options.clock.monotonic();
  }

  #ask(): Promise<string> {
    this.#asking ??= this.#askOnce().finally(() => {
      this.#asking = undefined;
    });
    return this.#asking;
  }

  async #askOnce(): Promise<string> {
    const { logger, account, request } = this.#options;
    const askedAtMs = this.#nowMs;
    this.#askedAtMs = askedAtMs;
    try {
      const { token, lifetimeMs } = await request();
      const freshUntilMs = askedAtMs + lifetimeMs * freshShare;
      this.#held = { token, freshUntilMs, goodUntilMs: askedAtMs + lifetimeMs };
      if (this.#failed !== undefined) logger.info({ account }, 'Got a token for the controllers');
      this.#failed = undefined;
      return token;
    } catch (err) {
      if (this.#failed === undefined) {
        logger.error({ account, err }, 'Could not get a token for the controllers');
      }
      this.#failed = { err, atMs: this.#nowMs };
      throw err;
    }
  }
}
