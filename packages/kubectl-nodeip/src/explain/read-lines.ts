/**
 * Splits a stream into lines, handing over as many at a time as a chunk brought, so that a million
 * short lines do not cost a million turns of the event loop. Holds at most one unfinished line; one
 * that is longer than allowed is passed over and told as such.
 */
export type Line =
  | { readonly kind: 'line'; readonly text: string }
  | { readonly kind: 'too-long'; readonly beginning: string };

/** What is kept of a line that is too long, enough to tell what it is. */
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
