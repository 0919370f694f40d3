/**
 * The endpoints of the cloud, read when the program starts. Where the Resource Manager of a custom cloud does
 * not name them then, because it is throttled, refuses or cannot be reached, the program keeps running, and
 * whatever needs them asks again: nodes are told why nothing is known of them, as with wrong credentials.
 */
import type { Clock, Logger } from '@tandem/runtime';
import type { Cloud } from './config/index.ts';
import { AzureError } from './failure.ts';

/** How long a failure answers for all who ask, where the Resource Manager does not say. */
const pauseMs = 10_000;

export class CloudSource {
  readonly #clock: Clock;
  readonly #read: () => Promise<Cloud>;
  #reading: Promise<Cloud> | undefined;
  #notBeforeMs = -Infinity;

  constructor(clock: Clock, read: () => Promise<Cloud>) {
    this.#clock = clock;
    this.#read = read;
  }

  /** Rejects where asking again is of no use. */
  async start(logger: Logger): Promise<void> {
    try {
      await this.get();
    } catch (err) {
      if (!(err instanceof AzureError) || err.retry === 'never') throw err;
      logger.warn({ err }, 'Could not read the endpoints of the cloud, trying again');
    }
  }

  get(): Promise<Cloud> {
    const isOver = this.#clock.monotonic() >= this.#notBeforeMs;
    if (this.#reading === undefined || isOver) this.#reading = this.#begin();
    return this.#reading;
  }

  #begin(): Promise<Cloud> {
    this.#notBeforeMs = Infinity;
    const reading = this.#read();
    reading.catch((err: unknown) => {
      const retry = err instanceof AzureError ? err.retry : undefined;
      const waitMs = typeof retry === 'object' ? retry.afterMs : pauseMs;
      this.#notBeforeMs = this.#clock.monotonic() + waitMs;
    });
    return reading;
  }
}
