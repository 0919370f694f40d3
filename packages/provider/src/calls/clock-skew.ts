/**
 * Detects whether this machine's clock differs from the cloud's, from the `Date` header of answers. Clouds refuse
 * requests whose signature or token has the wrong time, with errors that rarely say why. A slow answer proves
 * nothing, so an answer counts only if its date is outside the whole duration of the call.
 */
import type { Clock, Logger } from '@tandem/runtime';

/** Certificates and tokens begin to fail at this difference. EC2 tolerates five minutes. */
const toldFromMs = 60_000;

export class ClockSkew {
  readonly #clock: Clock;
  readonly #logger: Logger;
  readonly #cloud: string;
  #ms = 0;

  /** `cloud` names the other clock in messages. */
  constructor(clock: Clock, logger: Logger, cloud: string) {
    this.#clock = clock;
    this.#logger = logger;
    this.#cloud = cloud;
  }

  /** How far this machine is ahead of the cloud. Negative if it is behind; 0 below a minute. */
  get ms(): number {
    return this.#ms;
  }

  /** Describes the wrong clock for an error message; undefined if the clock is right. */
  get advice(): string | undefined {
    if (this.#ms === 0) return undefined;
    const seconds = Math.round(Math.abs(this.#ms) / 1_000);
    const direction = this.#ms > 0 ? 'ahead of' : 'behind';
    return `The clock of this machine is ${seconds} s ${direction} the clock of ${this.#cloud}. Correct it`;
  }

  /** Reads the `Date` header of an answer. `begunAtMs` is when the call began, by `Clock.now`. */
  note(date: string | undefined, begunAtMs: number): void {
    const skewMs = skewMsOf(date, { fromMs: begunAtMs, toMs: this.#clock.now() });
    if (skewMs === undefined) return;
    const wasTold = this.#ms !== 0;
    this.#ms = Math.abs(skewMs) >= toldFromMs ? skewMs : 0;
    if (wasTold === (this.#ms !== 0)) return;
    if (wasTold) this.#logger.info({ cloud: this.#cloud }, 'Clock agrees with the cloud again');
    else this.#logger.warn({ cloud: this.#cloud, skewMs }, 'Clock differs from the cloud');
  }
}

/** Returns the smallest difference that explains the date; undefined if the date cannot be read. */
export function skewMsOf(
  date: string | undefined,
  { fromMs, toMs }: { readonly fromMs: number; readonly toMs: number },
): number | undefined {
  const secondMs = Date.parse(date ?? '');
  if (Number.isNaN(secondMs)) return undefined;
  // The header has whole seconds, so the cloud's clock may be up to one second later.
  const leastMs = fromMs - (secondMs + 999);
  const mostMs = toMs - secondMs;
  if (leastMs > 0) return leastMs;
  return mostMs < 0 ? mostMs : 0;
}
