/**
 * Reads the ids of zones, for a label. A zone never changes its id, so one successful call is enough. Tandem never delays
 * a node for the label: if the call fails, it leaves the label out and retries after a minute.
 */
import type { Instance } from '@aws-sdk/client-ec2';
import type { Clock, Logger } from '@tandem/runtime';
import type { InstanceApi } from './instance-api.ts';

const label = 'topology.k8s.aws/zone-id';
const askAgainMs = 60_000;

export class ZoneIds {
  readonly #api: InstanceApi;
  readonly #clock: Clock;
  readonly #logger: Logger;
  #ids: ReadonlyMap<string, string> = new Map();
  #askedAtMs = -Infinity;
  /** Whether the last call failed, which is logged once. */
  #hasFailed = false;
  #asking: Promise<void> | undefined;
  #loading: Promise<ReadonlyMap<string, string>> | undefined;

  constructor(api: InstanceApi, clock: Clock, logger: Logger) {
    this.#api = api;
    this.#clock = clock;
    this.#logger = logger;
  }

  labelsOf({ Placement }: Instance): Record<string, string> {
    const id = this.#ids.get(Placement?.AvailabilityZone ?? '');
    return id === undefined ? {} : { [label]: id };
  }

  /** Resolves when the zone ids for these instances have been read, or reading them failed. */
  async learn(instances: readonly Instance[], signal: AbortSignal): Promise<void> {
    const zones = instances.map(({ Placement }) => Placement?.AvailabilityZone ?? '');
    if (zones.every((zone) => zone === '' || this.#ids.has(zone))) return;
    const nowMs = this.#clock.monotonic();
    if (nowMs - this.#askedAtMs >= askAgainMs) {
      this.#askedAtMs = nowMs;
      this.#asking = this.#ask(signal);
    }
    await this.#asking;
  }

  /** Rejects if EC2 has never named its zones. */
  async check(signal: AbortSignal): Promise<void> {
    if (this.#ids.size === 0) await this.#load(signal);
  }

  /** Asks EC2, unless a call is already in flight. */
  async #load(signal: AbortSignal): Promise<void> {
    this.#loading ??= this.#api.zoneIds(signal).finally(() => {
      this.#loading = undefined;
    });
    this.#ids = await this.#loading;
  }

  async #ask(signal: AbortSignal): Promise<void> {
    try {
      await this.#load(signal);
      this.#hasFailed = false;
    } catch (err) {
      if (signal.aborted || this.#hasFailed) return;
      this.#hasFailed = true;
      this.#logger.warn({ err }, 'Left out zone id labels because EC2 did not name its zones');
    }
  }
}
