/**
 * One look of a dry run (`--once`): waits until the controllers have decided about every node, and keeps
 * their forecasts. It logs regularly what it waits for. If its signal aborts, it ends with the
 * forecasts so far.
 */
import type { Forecast } from './forecast.ts';
import { type Clock, type Logger, sleep } from '@tandem/runtime';

/** Short compared with the answer of any cloud. */
const lookEveryMs = 200;
/** About as long as a person waits without output. */
const progressEveryMs = 10_000;
/** Enough names to recognise what is slow. */
const namesMax = 5;

export interface OneLookPorts {
  readonly clock: Clock;
  readonly logger: Logger;
}

/** The controllers whose forecasts a look follows. */
export interface LookedAt {
  /** Undefined while the controllers do not run. */
  forecasts(): readonly Forecast[] | undefined;
  /** What the controllers wait for before they run. */
  missing(): Missing;
}

export interface Missing {
  readonly what: 'the list of nodes' | 'the cloud provider';
  /** Undefined if no fault is known: the start may only be slow. */
  readonly reason: string | undefined;
}

export class OneLook {
  readonly #ports: OneLookPorts;
  readonly #over = new AbortController();
  #forecasts: readonly Forecast[] | undefined;
  #missing: Missing | undefined;

  constructor(ports: OneLookPorts) {
    this.#ports = ports;
  }

  /** Aborts when no forecast is pending. */
  get over(): AbortSignal {
    return this.#over.signal;
  }

  /** The forecasts; undefined if the controllers did not run. */
  get forecasts(): readonly Forecast[] | undefined {
    return this.#forecasts;
  }

  /** What prevented all forecasts; undefined if there are forecasts. */
  get missing(): Missing | undefined {
    return this.#missing;
  }

  async follow(lookedAt: LookedAt, signal: AbortSignal): Promise<void> {
    const { clock } = this.#ports;
    let toldMs = clock.monotonic();
    while (!signal.aborted) {
      this.#forecasts = lookedAt.forecasts();
      this.#missing = this.#forecasts === undefined ? lookedAt.missing() : undefined;
      if (this.#forecasts?.every(isSettled)) return this.#over.abort();
      if (clock.monotonic() - toldMs >= progressEveryMs) {
        toldMs = clock.monotonic();
        this.#tellProgress();
      }
      await sleep(clock, lookEveryMs, signal).catch(() => undefined);
    }
  }

  #tellProgress(): void {
    const { logger } = this.#ports;
    if (this.#missing !== undefined) {
      const { what, reason } = this.#missing;
      return logger.info({ reason }, `Dry run: waiting for ${what}`);
    }
    const forecasts = this.#forecasts ?? [];
    const pending = forecasts.flatMap((one) => (one.kind === 'pending' ? [one.node] : []));
    if (pending.length === 0) return logger.info({}, 'Dry run: waiting for the list of routes');
    const facts = { pending: pending.length, among: pending.slice(0, namesMax).join(', ') };
    logger.info(facts, 'Dry run: waiting for answers about nodes');
  }
}

function isSettled(forecast: Forecast): boolean {
  return forecast.kind === 'routes' ? forecast.answer !== 'pending' : forecast.kind !== 'pending';
}
