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
  write(chunk: string | Uint8Array): boolean;
  once(event: 'drain', listener: () => void): unknown;
}

/**
 * Writes and waits while the reader is slower than we are, so that memory stays flat. A sink that
 * `drained` holds nothing any more; one that had room may still hold the chunk.
 */
export async function writeAll(
  sink: Sink,
  chunk: string | Uint8Array,
): Promise<'had-room' | 'drained'> {
  if (chunk.length === 0 || sink.write(chunk)) return 'had-room';
  await new Promise<void>((resolve) => {
    sink.once('drain', resolve);
  });
  return 'drained';
}
