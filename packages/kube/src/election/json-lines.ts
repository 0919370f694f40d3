/**
 * A stream of JSON values, one a line, as the API server sends a watch. A line that is no JSON, or that
 * does not end, is an error: skipping it would hide that something was missed.
 */
export async function* jsonLines(
  body: AsyncIterable<readonly Uint8Array[]>,
  { lineLengthMax }: { readonly lineLengthMax: number },
): AsyncGenerator {
  const decoder = new TextDecoder();
  let rest = '';
  for await (const chunks of body) {
    const text = chunks.map((chunk) => decoder.decode(chunk, { stream: true })).join('');
    const lines = (rest + text).split('\n');
    rest = lines.pop() ?? '';
    if (rest.length > lineLengthMax) {
      throw new RangeError(`A line is longer than ${lineLengthMax} characters`);
    }
    for (const line of lines) if (line !== '') yield JSON.parse(line);
  }
}
