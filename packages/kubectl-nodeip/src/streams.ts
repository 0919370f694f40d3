/** The streams of a command, so that tests can pass their own. */
export interface Streams {
  /** Fails with an `InputError`. */
  readonly input: AsyncIterable<Uint8Array | string>;
  readonly output: Sink;
  readonly errors: Sink;
  /** Whether the output is a terminal that supports colours. */
  readonly hasColour: boolean;
}

/** The input cannot be read. The message is a complete sentence for users. */
export class InputError extends Error {
  override readonly name = 'InputError';
}

export interface Sink {
  /** Returns false if the sink is full. The caller then has to wait for `drain`. */
  write(text: string): boolean;
  once(event: 'drain', listener: () => void): unknown;
}

/** Writes, and waits for a slow reader, so that memory stays bounded. */
export async function writeAll(sink: Sink, text: string): Promise<void> {
  if (text === '' || sink.write(text)) return;
  await new Promise<void>((resolve) => {
    sink.once('drain', resolve);
  });
}
