/**
 * The ids of zones, for a label. A zone never changes its id, so one call tells all of them for good. A node
 * is not held up for want of the label: what cannot be read is left out, and asked for a minute later.
 */
import type { Clock, Logger } from '@tandem/runtime';
import type { InstanceApi } from './instance-api.ts';

const askAgainMs = 60_000;

export class ZoneIds {
  readonly #api: InstanceApi;
  readonly #clock: Clock;
  readonly #logger: Logger;
  #ids: ReadonlyMap<string, string> = new Map();
  #askedAtMs = -Infinity;
  #asking: Promise<void> | undefined;

  constructor(api: InstanceApi, clock: Clock, logger: Logger) {
    this.#api = api;
    this.#clock = clock;
    this.#logger = logger;
  }

  find(zone: string): string | undefined {
    return this.#ids.get(zone);
  }

  /** Resolves when the ids of these zones are known, or cannot be had now. */
  async learn(zones: readonly string[], signal: AbortSignal): Promise<void> {
    if (zones.every((zone) => this.#ids.has(zone))) return;
    const nowMs = this.#clock.monotonic();
    if (nowMs - this.#askedAtMs >= askAgainMs) {
      this.#askedAtMs = nowMs;
      this.#asking = this.#ask(signal);
    }
    await this.#asking;
  }

  async #ask(signal: AbortSignal): Promise<void> {
    try {
      this.#ids = await this.#api.zoneIds(signal);
    } catch (err) {
      if (signal.aborted) return;
      this.#logger.warn({ err }, 'Left out zone id labels because EC2 did not name its zones');
    }
  }
}
