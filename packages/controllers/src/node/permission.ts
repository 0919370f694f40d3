/**
 * Whether the API server lets this program write to nodes at all. Missing rights and bad credentials are
 * no node's fault: they are told once, everybody waits, one node at a time tries whether it is over, and
 * when it is, all go on.
 */
import type { CcmError, Clock, Logger, Random } from '@tandem/runtime';
import type { NodeMetrics } from './metrics.ts';

const waitMsMin = 1_000;
const waitMsMax = 30_000;
/** For how long the others wait for the one that tries. */
const trialMs = 10_000;

export class Permission {
  readonly #clock: Clock;
  readonly #random: Random;
  readonly #logger: Logger;
  readonly #metrics: Pick<NodeMetrics, 'allowed'>;
  readonly #onAllowed: (names: Iterable<string>) => void;
  readonly #waiting = new Set<string>();
  #denials = 0;
  #closedUntilMs = 0;

  constructor(options: {
    readonly clock: Clock;
    readonly random: Random;
    readonly logger: Logger;
    readonly metrics: Pick<NodeMetrics, 'allowed'>;
    /** Gets those who waited. */
    readonly onAllowed: (names: Iterable<string>) => void;
  }) {
    this.#clock = options.clock;
    this.#random = options.random.fork('permission');
    this.#logger = options.logger;
    this.#metrics = options.metrics;
    this.#onAllowed = options.onAllowed;
  }

  /** How many wait. */
  get size(): number {
    return this.#waiting.size;
  }

  /** 0 where the node may be written to now, else how long it waits. */
  waitMs(name: string): number {
    if (this.#denials === 0) return 0;
    const nowMs = this.#clock.monotonic();
    if (nowMs >= this.#closedUntilMs) {
      this.#closedUntilMs = nowMs + trialMs;
      return 0;
    }
    this.#waiting.add(name);
    return this.#closedUntilMs - nowMs;
  }

  /** How long the node waits that was denied. */
  denied(name: string, err: CcmError): number {
    if (this.#denials === 0) {
      this.#logger.error(
        { err },
        'Writing to nodes was denied: check the RBAC rules and credentials',
      );
      this.#metrics.allowed(false);
    }
    this.#denials++;
    const fullMs = Math.min(waitMsMin * 2 ** (this.#denials - 1), waitMsMax);
    const waitMs = fullMs * (0.5 + this.#random.next() / 2);
    this.#closedUntilMs = this.#clock.monotonic() + waitMs;
    this.#waiting.add(name);
    return waitMs;
  }

  /** The API server has considered a write. */
  allowed(): void {
    if (this.#denials === 0) return;
    this.#denials = 0;
    this.#logger.info({ waiting: this.#waiting.size }, 'Writing to nodes was allowed again');
    this.#metrics.allowed(true);
    const names = [...this.#waiting];
    this.#waiting.clear();
    this.#onAllowed(names);
  }

  forget(name: string): void {
    this.#waiting.delete(name);
  }
}
