/**
 * Splits a stream into lines and returns all lines of a chunk together, so that a million short lines do not take a
 * million turns of the event loop. It keeps at most one unfinished line, and reports a line that is too long without
 * keeping it.
 */
export type Line =
  | { readonly kind: 'line'; readonly text: string }
  | { readonly kind: 'too-long'; readonly beginning: string };

/** How much is kept of a line that is too long, enough to recognize its kind. */
const beginningLength = 64;

export async function* readLines(
  input: AsyncIterable<Uint8Array | string>,
  { lengthMax }: { readonly lengthMax: number },
): AsyncGenerator<readonly Line[]> {
  const decoder = new TextDecoder();
  let rest = '';
  let overlong: string | undefined;

  const finish = (text: string): Line => {
    const whole = overlong ?? text;
    const isOverlong = overlong !== undefined || text.length > lengthMax;
    overlong = undefined;
    return isOverlong
      ? { kind: 'too-long', beginning: whole.slice(0, beginningLength) }
      : { kind: 'line', text };
  };

  for await (const chunk of input) {
    const text = typeof chunk === 'string' ? chunk : decoder.decode(chunk, { stream: true });
    const [first = '', ...others] = text.split('\n');
    const last = others.pop();
    rest += first;
    if (last !== undefined) {
      const lines = [finish(rest), ...others.map(finish)];
      rest = last;
      yield lines;
    }
    if (rest.length > lengthMax) {
      overlong ??= rest.slice(0, beginningLength);
      rest = '';
    }
  }
  rest += decoder.decode();
  if (rest !== '' || overlong !== undefined) yield [finish(rest)];
}
