/**
 * Telling people how far a long job is: on a terminal one line that is rewritten, elsewhere (a CI log)
 * a new line now and then.
 */
import type { Clock } from '@tandem/runtime';

/** Where text for people goes: standard error, or what a test collects. */
export interface Sink {
  readonly isTTY?: boolean | undefined;
  write(text: string): unknown;
}

export class Progress {
  readonly #sink: Sink;
  readonly #clock: Clock;
  readonly #startedAt: number;

  constructor(sink: Sink, clock: Clock) {
    this.#sink = sink;
    this.#clock = clock;
    this.#startedAt = clock.monotonic();
  }

  /** Says something that stays. */
  say(text: string): void {
    this.#sink.write(`${text}\n`);
  }

  /** Says what `describe` gives, and the time so far, again and again until `work` has ended. */
  async follow<Result>(describe: () => string, work: Promise<Result>): Promise<Result> {
    const isRewritten = this.#sink.isTTY === true;
    const intervalMs = isRewritten ? rewriteMs : lineMs;
    const tick = (): void => {
      const line = `  ${describe()}, ${this.elapsed()}`;
      this.#sink.write(isRewritten ? `\r${line}${clearToEnd}` : `${line}\n`);
      timer = this.#clock.after(intervalMs, tick);
    };
    let timer = this.#clock.after(intervalMs, tick);
    try {
      return await work;
    } finally {
      timer.cancel();
      if (isRewritten) this.#sink.write(`\r${clearToEnd}`);
    }
  }

  /** The time since the start, such as `1m40s`. */
  elapsed(): string {
    const seconds = Math.round((this.#clock.monotonic() - this.#startedAt) / 1000);
    return seconds < 60 ? `${seconds}s` : `${Math.floor(seconds / 60)}m${seconds % 60}s`;
  }
}

const clearToEnd = '\u001b[K';

const rewriteMs = 500;

const lineMs = 15_000;
