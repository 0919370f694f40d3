/**
 * How deep a JSON text is nested, by its brackets alone, before anything walks it: what recurses
 * through a text that is too deep ends the whole program's stack and not only its own.
 */

/** Exact above `enough`; a text that cannot be deeper than that is not walked at all. */
export function nestingDepth(text: string, enough: number): number {
  // What opens has to close, in JSON that is any good.
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

/** How many brackets open, as far as that matters. */
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

/** The place of the quote that closes the one at `start`; the end of the text where none does. */
function endOfText(text: string, start: number): number {
  let index = start + 1;
  while (index < text.length && text[index] !== '"') index += text[index] === '\\' ? 2 : 1;
  return index;
}
