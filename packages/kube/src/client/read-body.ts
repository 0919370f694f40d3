/** Reads a whole answer up to a limit, so that an endless answer cannot exhaust the memory. */
import { CcmError, type Effect } from '@tandem/runtime';

export async function readBody(
  chunks: AsyncIterable<Uint8Array>,
  {
    bytesMax,
    describe,
  }: {
    readonly bytesMax: number;
    /** Describes the request, for an error. */
    readonly describe: () => { readonly what: string; readonly effect: Effect };
  },
): Promise<Uint8Array> {
  const parts: Uint8Array[] = [];
  let size = 0;
  for await (const chunk of chunks) {
    size += chunk.length;
    if (size > bytesMax) {
      const { what, effect } = describe();
      throw new CcmError(`The response to ${what} is larger than ${bytesMax} bytes`, {
        code: 'AnswerTooLarge',
        retry: 'never',
        effect,
      });
    }
    parts.push(chunk);
  }
  const [only] = parts;
  return parts.length === 1 && only !== undefined ? only : Buffer.concat(parts);
}
