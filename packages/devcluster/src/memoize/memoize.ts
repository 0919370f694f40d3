/**
 * What a pure function says of texts that come again and again: keys of labels, media types, times. It
 * holds a bounded number of short texts, so that a client that sends ever new ones costs only time.
 */

/** All that one kind of client sends, many times over. */
const textsMax = 256;

/** Longer texts are rare, and are computed each time. */
const lengthMax = 256;

export function memoize<Answer extends object | string | number | boolean>(
  find: (text: string) => Answer,
): (text: string) => Answer {
  const known = new Map<string, Answer>();
  return (text) => {
    const before = known.get(text);
    if (before !== undefined) return before;
    const answer = find(text);
    if (text.length > lengthMax) return answer;
    // Forgetting all at once is cheaper than knowing which was used last.
    if (known.size === textsMax) known.clear();
    known.set(text, answer);
    return answer;
  };
}
