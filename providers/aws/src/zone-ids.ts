/**
 * Reads the ids of zones, for a label. A zone never changes its id, so one successful call is enough. Tandem never delays
 * a node by more than a second for the label. If the call fails or takes longer, Tandem leaves the label out: a late
 * answer counts from the next look-up on, and a failed call is retried after a minute.
 */
import { type Clock, type Logger, untilAborted, withDeadline } from '@tandem/runtime';
import type { InstanceApi } from './instance-api.ts';
import type { Instance } from './sdk/actions.ts';

const label = 'topology.k8s.aws/zone-id';
const askAgainMs = 60_000;

/** EC2 usually names its zones within a fraction of this. With `--refresh-labels`, nodes get the label later. */
const waitMsMax = 1_000;

export class ZoneIds {
  readonly #api: InstanceApi;
  readonly #clock: Clock;
  readonly #logger: Logger;
  /** Aborts when the provider closes. Look-ups share a call, so it does not end with the one that began it. */
  readonly #closed: AbortSignal;
  #ids: ReadonlyMap<string, string> = new Map();
  #askedAtMs = -Infinity;
  /** Whether the last call failed, which is logged once. */
  #hasFailed = false;
  #asking: Promise<void> = Promise.resolve();
  #loading: Promise<ReadonlyMap<string, string>> | undefined;

  constructor(options: {
    readonly api: InstanceApi;
    readonly clock: Clock;
    readonly logger: Logger;
    readonly closed: AbortSignal;
  }) {
    this.#api = options.api;
    this.#clock = options.clock;
    this.#logger = options.logger;
    this.#closed = options.closed;
  }

  labelsOf({ Placement }: Instance): Record<string, string> {
    const id = this.#ids.get(Placement?.AvailabilityZone ?? '');
    return id === undefined ? {} : { [label]: id };
  }

  /** Resolves when the zone ids for these instances have been read, or are not worth waiting for. */
  async learn(instances: readonly Instance[], signal: AbortSignal): Promise<void> {
    const zones = instances.map(({ Placement }) => Placement?.AvailabilityZone ?? '');
    if (zones.every((zone) => zone === '' || this.#ids.has(zone))) return;
    const clock = this.#clock;
    const nowMs = clock.monotonic();
    if (nowMs - this.#askedAtMs >= askAgainMs) {
      this.#askedAtMs = nowMs;
      this.#asking = this.#ask();
    }
    const limitMs = this.#askedAtMs + waitMsMax - nowMs;
    if (limitMs <= 0) return;
    try {
      await withDeadline({ clock, limitMs, signal }, () => this.#asking);
    } catch {
      // Only the wait has ended. The call goes on for the next look-up.
      signal.throwIfAborted();
    }
  }

  /** Rejects if EC2 has never named its zones. */
  async check(signal: AbortSignal): Promise<void> {
    if (this.#ids.size === 0) await untilAborted(signal, this.#load());
  }

  /** Asks EC2, unless a call is already in flight. */
  async #load(): Promise<void> {
    this.#loading ??= this.#api.zoneIds(this.#closed).finally(() => {
      this.#loading = undefined;
    });
    this.#ids = await this.#loading;
  }

  async #ask(): Promise<void> {
    try {
      await this.#load();
      this.#hasFailed = false;
    } catch (err) {
      if (this.#closed.aborted || this.#hasFailed) return;
      this.#hasFailed = true;
      this.#logger.warn({ err }, 'Left out zone id labels because EC2 did not name its zones');
    }
  }
}
