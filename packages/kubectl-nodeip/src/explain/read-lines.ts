/**
 * Splits a stream into lines, handing over as many at a time as a chunk brought, so that a million
 * short lines do not cost a million turns of the event loop. Holds at most one unfinished line; one
 * that is longer than allowed is passed over and told as such.
 */
export type Line = { readonly kind: 'line'; readonly text: string } | { readonly kind: 'too-long' };

export async function* readLines(
  input: AsyncIterable<Uint8Array | string>,
  { lengthMax }: { readonly lengthMax: number },
): AsyncGenerator<readonly Line[]> {
  const decoder = new TextDecoder();
  let rest = '';
  let isOverlong = false;

  const finish = (text: string): Line => {
    const line: Line =
      isOverlong || text.length > lengthMax ? { kind: 'too-long' } : { kind: 'line', text };
    isOverlong = false;
    return line;
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
      isOverlong = true;
      rest = '';
    }
  }
  rest += decoder.decode();
  if (rest !== '' || isOverlong) yield [finish(rest)];
}
