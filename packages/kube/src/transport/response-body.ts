/**
 * The body of an answer as a stream with back-pressure. Chunks wait until the reader takes them; beyond a
 * limit the connection pauses. A reader that stops early ends the connection.
 *
 * The API server sends each event of a watch separately, and encryption splits it: a list of thousands of
 * objects arrives in three times as many chunks. `turns` groups the chunks of one turn of the event loop,
 * because waking the reader for each chunk costs more than decoding it.
 */
import { afterTurn } from '@tandem/runtime';
import type { BodyStream } from './transport.ts';

export interface Flow {
  pause(): void;
  resume(): void;
  /** Ends the connection without reading the rest of the body. */
  abandon(): void;
}

/** Keeps a connection busy while one chunk is decoded. A TLS record has at most 16 KB. */
const waitingBytesMax = 256 * 1024;

export class ResponseBody implements BodyStream {
  readonly #flow: Flow;
  #waiting: Uint8Array[] = [];
  #waitingBytes = 0;
  #end: { readonly failure?: unknown } | undefined;
  #wake: (() => void) | undefined;
  #wakeWith: (wake: () => void) => void = (wake) => wake();

  constructor(flow: Flow) {
    this.#flow = flow;
  }

  push(chunk: Uint8Array): void {
    this.#waiting.push(chunk);
    this.#waitingBytes += chunk.length;
    if (this.#waitingBytes >= waitingBytesMax) this.#flow.pause();
    const isFirst = this.#waiting.length === 1;
    if (isFirst && this.#wake !== undefined) this.#wakeWith(this.#wake);
  }

  finish(): void {
    this.#end ??= {};
    this.#wake?.();
  }

  /** The reader gets the waiting chunks, then the failure. */
  fail(failure: unknown): void {
    this.#end ??= { failure };
    this.#wake?.();
  }

  /** The reader gets the reason next; waiting chunks are dropped. */
  abort(reason: unknown): void {
    this.#waiting = [];
    this.#waitingBytes = 0;
    this.#end = { failure: reason };
    this.#wake?.();
  }

  [Symbol.asyncIterator](): AsyncIterator<Uint8Array, undefined, undefined> {
    return this.#iterate(() => this.#takeOne());
  }

  turns(): AsyncIterable<readonly Uint8Array[]> {
    this.#wakeWith = afterTurn;
    return { [Symbol.asyncIterator]: () => this.#iterate(() => this.#takeAll()) };
  }

  /** By hand, because a generator costs more than the usual answer of one chunk. */
  #iterate<T>(take: () => T | undefined): AsyncIterator<T, undefined, undefined> {
    return { next: () => this.#next(take), return: () => this.#leave() };
  }

  async #next<T>(take: () => T | undefined): Promise<IteratorResult<T, undefined>> {
    for (;;) {
      const value = take();
      if (value !== undefined) return { done: false, value };
      if (this.#end === undefined) await this.#untilMore();
      else if ('failure' in this.#end) throw this.#end.failure;
      else return ended;
    }
  }

  #leave(): Promise<IteratorReturnResult<undefined>> {
    if (this.#end === undefined) this.#flow.abandon();
    return Promise.resolve(ended);
  }

  #takeOne(): Uint8Array | undefined {
    const chunk = this.#waiting.shift();
    if (chunk !== undefined) this.#took(chunk.length);
    return chunk;
  }

  #takeAll(): readonly Uint8Array[] | undefined {
    const chunks = this.#waiting;
    if (chunks.length === 0) return undefined;
    this.#waiting = [];
    this.#took(this.#waitingBytes);
    return chunks;
  }

  #took(bytes: number): void {
    const wasFull = this.#waitingBytes >= waitingBytesMax;
    this.#waitingBytes -= bytes;
    if (wasFull && this.#waitingBytes < waitingBytesMax) this.#flow.resume();
  }

  #untilMore(): Promise<void> {
    return new Promise((resolve) => {
      this.#wake = resolve;
    });
  }
}

const ended: IteratorReturnResult<undefined> = { done: true, value: undefined };
