/**
 * A stream of JSON values, one a line, as the API server sends a watch. A line that is no JSON, or that
 * does not end, is an error: skipping it would hide that something was missed.
 */
export async function* jsonLines(
  body: AsyncIterable<Uint8Array>,
  { lineLengthMax }: { readonly lineLengthMax: number },
): AsyncGenerator {
  const decoder = new TextDecoder();
  let rest = '';
  for await (const chunk of body) {
    const lines = (rest + decoder.decode(chunk, { stream: true })).split('\n');
    rest = lines.pop() ?? '';
    if (rest.length > lineLengthMax) {
      throw new RangeError(`A line is longer than ${lineLengthMax} characters`);
    }
    for (const line of lines) if (line !== '') yield JSON.parse(line);
  }
}
