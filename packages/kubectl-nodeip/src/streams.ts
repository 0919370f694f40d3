/** What a command reads and writes, so that a test can hand in its own. */
export interface Streams {
  /** Fails with an `InputError`. */
  readonly input: AsyncIterable<Uint8Array | string>;
  readonly output: Sink;
  readonly errors: Sink;
  /** Whether the output is a terminal that takes colours. */
  readonly hasColour: boolean;
}

/** The input cannot be read; the message is a whole sentence for a person. */
export class InputError extends Error {
  override readonly name = 'InputError';
}

export interface Sink {
  /** False when the sink is full: wait for `drain` before writing more. */
  write(text: string): boolean;
  once(event: 'drain', listener: () => void): unknown;
}

/** Writes and waits while the reader is slower than we are, so that memory stays flat. */
export async function writeAll(sink: Sink, text: string): Promise<void> {
  if (text === '' || sink.write(text)) return;
  await new Promise<void>((resolve) => {
    sink.once('drain', resolve);
  });
}
