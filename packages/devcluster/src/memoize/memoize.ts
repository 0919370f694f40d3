/**
 * Memoizes a pure function of texts that recur: label keys, media types, times. It remembers a bounded number of
 * short texts, so that a client that sends many different ones costs only time.
 */

/** Enough for the texts that one kind of client repeats. */
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
    // Forgetting everything is cheaper than tracking which text was used last.
    if (known.size === textsMax) known.clear();
    known.set(text, answer);
    return answer;
  };
}
