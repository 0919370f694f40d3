/**
 * Reads the endpoints of the cloud when the program starts. If the Resource Manager of a custom cloud throttles or
 * refuses that request or cannot be reached, the program keeps running, and every later call that needs the endpoints
 * tries again. Events then say on the nodes why nothing is known about them, as with wrong credentials.
 */
import type { Clock, Logger } from '@tandem/runtime';
import type { Cloud } from './config/index.ts';
import { AzureError } from './failure.ts';

/** How long callers get the same failure, if the Resource Manager names no time to wait. */
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

  /** Reads the endpoints for the first time. Rejects only if a retry cannot help. */
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
