/**
 * What happened in a world, a line for each request, answer, write and log message. Nobody pays for it who
 * does not ask for it: a world without a trace builds no line.
 */
export class Trace {
  readonly #lines: string[] = [];
  readonly #nowMs: () => number;

  constructor(nowMs: () => number) {
    this.#nowMs = nowMs;
  }

  add(who: string, what: string): void {
    this.#lines.push(`${this.#nowMs().toFixed(3).padStart(11)} ${who.padEnd(9)} ${what}`);
  }

  get lines(): readonly string[] {
    return this.#lines;
  }
}
