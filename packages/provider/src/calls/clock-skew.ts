/**
 * Whether the clock of this machine differs from the cloud's, by the `Date` of its answers. Clouds refuse
 * requests whose signature or token is from another time, with errors that rarely say why. An answer that
 * was long under way proves nothing: it counts only where the date lies outside the whole time of the call.
 */
import type { Clock, Logger } from '@tandem/runtime';

/** Where certificates and tokens begin to fail. EC2 takes five minutes. */
const toldFromMs = 60_000;

export class ClockSkew {
  readonly #clock: Clock;
  readonly #logger: Logger;
  readonly #cloud: string;
  #ms = 0;

  /** `cloud` is for people: whose clock it is compared with. */
  constructor(clock: Clock, logger: Logger, cloud: string) {
    this.#clock = clock;
    this.#logger = logger;
    this.#cloud = cloud;
  }

  /** How far this machine is ahead of the cloud, negative where it is behind; 0 below a minute. */
  get ms(): number {
    return this.#ms;
  }

  /** Says in words for an error message what is wrong with the clock; nothing where it is right. */
  get advice(): string | undefined {
    if (this.#ms === 0) return undefined;
    const seconds = Math.round(Math.abs(this.#ms) / 1_000);
    const direction = this.#ms > 0 ? 'ahead of' : 'behind';
    return `The clock of this machine is ${seconds} s ${direction} the clock of ${this.#cloud}. Correct it`;
  }

  /** Takes in the `Date` header of an answer to a call that began at `begunAtMs`, by `Clock.now`. */
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

/** The least difference that explains the date; undefined where the date cannot be read. */
export function skewMsOf(
  date: string | undefined,
  { fromMs, toMs }: { readonly fromMs: number; readonly toMs: number },
): number | undefined {
  const secondMs = Date.parse(date ?? '');
  if (Number.isNaN(secondMs)) return undefined;
  // A date has whole seconds: the cloud's clock may have shown anything up to the next one.
  const leastMs = fromMs - (secondMs + 999);
  const mostMs = toMs - secondMs;
  if (leastMs > 0) return leastMs;
  return mostMs < 0 ? mostMs : 0;
}
