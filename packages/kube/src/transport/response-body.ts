/**
 * The body of an answer as a stream with back-pressure: chunks wait here until somebody takes them,
 * and past a bound the connection is told to pause. Whoever stops reading early ends the connection.
 */
export interface Flow {
  pause(): void;
  resume(): void;
  /** Ends the connection; the rest of the body is not wanted. */
  abandon(): void;
}

/** Keeps a connection busy while one chunk is decoded; a TLS record has at most 16 KB. */
const waitingBytesMax = 256 * 1024;

export class ResponseBody implements AsyncIterable<Uint8Array> {
  readonly #flow: Flow;
  #waiting: Uint8Array[] = [];
  #waitingBytes = 0;
  #end: { readonly failure?: unknown } | undefined;
  #wake: (() => void) | undefined;

  constructor(flow: Flow) {
    this.#flow = flow;
  }

  push(chunk: Uint8Array): void {
    this.#waiting.push(chunk);
    this.#waitingBytes += chunk.length;
    if (this.#waitingBytes >= waitingBytesMax) this.#flow.pause();
    this.#wake?.();
  }

  finish(): void {
    this.#end ??= {};
    this.#wake?.();
  }

  /** The reader gets what had arrived, then the failure. */
  fail(failure: unknown): void {
    this.#end ??= { failure };
    this.#wake?.();
  }

  /** The reader gets the reason next, whatever had arrived. */
  abort(reason: unknown): void {
    this.#waiting = [];
    this.#waitingBytes = 0;
    this.#end = { failure: reason };
    this.#wake?.();
  }

  /** By hand, because a generator would cost more than the usual answer of one chunk. */
  [Symbol.asyncIterator](): AsyncIterator<Uint8Array, undefined, undefined> {
    return { next: () => this.#next(), return: () => this.#leave() };
  }

  async #next(): Promise<IteratorResult<Uint8Array, undefined>> {
    for (;;) {
      const chunk = this.#take();
      if (chunk !== undefined) return { done: false, value: chunk };
      if (this.#end === undefined) await this.#untilMore();
      else if ('failure' in this.#end) throw this.#end.failure;
      else return ended;
    }
  }

  #leave(): Promise<IteratorReturnResult<undefined>> {
    if (this.#end === undefined) this.#flow.abandon();
    return Promise.resolve(ended);
  }

  #take(): Uint8Array | undefined {
    const chunk = this.#waiting.shift();
    if (chunk === undefined) return undefined;
    const wasFull = this.#waitingBytes >= waitingBytesMax;
    this.#waitingBytes -= chunk.length;
    if (wasFull && this.#waitingBytes < waitingBytesMax) this.#flow.resume();
    return chunk;
  }

  #untilMore(): Promise<void> {
    return new Promise((resolve) => {
      this.#wake = resolve;
    });
  }
}

const ended: IteratorReturnResult<undefined> = { done: true, value: undefined };
