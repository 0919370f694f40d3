/**
 * The body of an answer as a stream with back-pressure. Chunks wait until the reader takes them; beyond a
 * limit the connection pauses. A reader that stops early ends the connection.
 *
 * The API server sends each event of a watch separately, and encryption splits it: a list of thousands of
 * objects arrives in three times as many chunks. The reader gets the chunks of one turn of the event loop
 * together, because waking it for each chunk costs more than decoding it.
 */
import { afterTurn } from '@tandem/runtime';

export interface Flow {
  pause(): void;
  resume(): void;
  /** Ends the connection without reading the rest of the body. */
  abandon(): void;
}

/** Keeps a connection busy while one chunk is decoded. A TLS record has at most 16 KB. */
const waitingBytesMax = 256 * 1024;

export class ResponseBody implements AsyncIterable<Uint8Array> {
  readonly #flow: Flow;
  #waiting: Uint8Array[] = [];
  #waitingBytes = 0;
  #end: { readonly failure?: unknown } | undefined;
  #wake: () => void = () => undefined;

  constructor(flow: Flow) {
    this.#flow = flow;
  }

  push(chunk: Uint8Array): void {
    this.#waiting.push(chunk);
    this.#waitingBytes += chunk.length;
    if (this.#waitingBytes >= waitingBytesMax) this.#flow.pause();
    const isFirst = this.#waiting.length === 1;
    if (isFirst) afterTurn(this.#wake);
  }

  finish(): void {
    this.#end ??= {};
    this.#wake();
  }

  /** The reader gets the waiting chunks, then the failure. */
  fail(failure: unknown): void {
    this.#end ??= { failure };
    this.#wake();
  }

  /** The reader gets the reason next; waiting chunks are dropped. */
  abort(reason: unknown): void {
    this.#waiting = [];
    this.#end = { failure: reason };
    this.#wake();
  }

  async *[Symbol.asyncIterator](): AsyncGenerator<Uint8Array, undefined, undefined> {
    try {
      for (;;) {
        if (this.#waiting.length > 0) yield this.#takeAll();
        else if (this.#end === undefined) await this.#untilMore();
        else if ('failure' in this.#end) throw this.#end.failure;
        else return;
      }
    } finally {
      if (this.#end === undefined) this.#flow.abandon();
    }
  }

  #takeAll(): Uint8Array {
    const chunks = this.#waiting;
    const wasFull = this.#waitingBytes >= waitingBytesMax;
    this.#waiting = [];
    this.#waitingBytes = 0;
    if (wasFull) this.#flow.resume();
    return Buffer.concat(chunks);
  }

  #untilMore(): Promise<void> {
    return new Promise((resolve) => {
      this.#wake = resolve;
    });
  }
}
