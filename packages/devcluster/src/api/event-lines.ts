/**
 * The events of a watch on their way to a reader. Objects wait as they are and become text, many to a chunk,
 * when the reader takes them, so that a slow reader costs little memory. A reader that falls too far behind
 * is cut off, as by a kube-apiserver.
 */
import type { StoredObject } from '../store/index.ts';

type WaitingEvent =
  | { readonly kind: 'object'; readonly type: string; readonly object: StoredObject }
  | { readonly kind: 'text'; readonly text: string };

/** How many changes may wait for a reader. One that is further behind should list again. */
const behindMax = 100_000;

/** A few TLS records, so that the reader can start before the whole list is sent. */
const chunkLengthMax = 64 * 1024;

export class EventLines implements AsyncIterable<Uint8Array> {
  readonly #textOf: (type: string, object: StoredObject) => string;
  readonly #onDone: () => void;
  #waiting: WaitingEvent[];
  #next = 0;
  /** How many events came since the reader had last caught up. */
  #behind = 0;
  #end: { readonly failure?: unknown } | undefined;
  #wake: () => void = () => {};

  constructor(options: {
    readonly textOf: (type: string, object: StoredObject) => string;
    /** Called when the reader has left. */
    readonly onDone: () => void;
    readonly initial: readonly StoredObject[];
  }) {
    this.#textOf = options.textOf;
    this.#onDone = options.onDone;
    this.#waiting = options.initial.map((object) => ({ kind: 'object', type: 'ADDED', object }));
  }

  push(event: WaitingEvent): void {
    if (this.#end !== undefined) return;
    this.#waiting.push(event);
    this.#behind += 1;
    if (this.#behind > behindMax) this.end();
    this.#wake();
  }

  /** Ends the stream after the waiting events. */
  end(): void {
    this.#end ??= {};
    this.#wake();
  }

  /** Ends the stream immediately: waiting events are lost, as when a connection breaks. */
  fail(failure: unknown): void {
    if (this.#end !== undefined) return;
    this.#waiting = [];
    this.#next = 0;
    this.#end = { failure };
    this.#wake();
  }

  async *[Symbol.asyncIterator](): AsyncGenerator<Uint8Array, void, undefined> {
    try {
      for (;;) {
        if (this.#next < this.#waiting.length) yield this.#takeChunk();
        else if (this.#end === undefined) await this.#untilMore();
        else if ('failure' in this.#end) throw this.#end.failure;
        else return;
      }
    } finally {
      this.#onDone();
    }
  }

  #takeChunk(): Uint8Array {
    let text = '';
    while (text.length < chunkLengthMax && this.#next < this.#waiting.length) {
      const event = this.#waiting[this.#next++];
      if (event === undefined) break;
      text += event.kind === 'text' ? event.text : this.#textOf(event.type, event.object);
    }
    if (this.#next === this.#waiting.length) {
      this.#waiting = [];
      this.#next = 0;
      this.#behind = 0;
    }
    return Buffer.from(text);
  }

  #untilMore(): Promise<void> {
    return new Promise((resolve) => {
      this.#wake = resolve;
    });
  }
}
