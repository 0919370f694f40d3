/**
 * How deep a JSON text is nested, found from its brackets before other code recurses through it: a text that is
 * too deep would overflow the stack of the program.
 */

/** Exact above `enough`; text that cannot be deeper is not scanned at all. */
export function nestingDepth(text: string, enough: number): number {
  // In valid JSON, each opening bracket has a closing one.
  if (text.length <= 2 * enough || countOf(text, enough) <= enough) return 0;
  let depth = 0;
  let deepest = 0;
  for (let index = 0; index < text.length; index++) {
    switch (text[index]) {
      case '"':
        index = endOfText(text, index);
        break;
      case '{':
      case '[':
        depth += 1;
        deepest = Math.max(deepest, depth);
        break;
      case '}':
      case ']':
        depth -= 1;
        break;
      default:
    }
  }
  return deepest;
}

/** The number of opening brackets, counted until there are more than enough. */
function countOf(text: string, enough: number): number {
  let count = 0;
  for (const bracket of ['{', '[']) {
    let index = text.indexOf(bracket);
    while (index >= 0 && count <= enough) {
      count += 1;
      index = text.indexOf(bracket, index + 1);
    }
  }
  return count;
}

/** The index of the quote that closes the one at `start`, or the end of the text. */
function endOfText(text: string, start: number): number {
  let index = start + 1;
  while (index < text.length && text[index] !== '"') index += text[index] === '\\' ? 2 : 1;
  return index;
}
