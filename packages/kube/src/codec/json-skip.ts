/**
 * Finds the end of a list in JSON without making anything of it. It knows the compact form that the API
 * server writes, and numbers only if they are whole; whatever else there may be, it says that it does
 * not know. It never takes bytes that are no JSON for a list.
 */

/** Where the list ends whose bracket is at `start`; undefined where that cannot be said. */
export function pastJsonList(bytes: Uint8Array, start: number): number | undefined {
  const end = pastList(bytes, start, depthMax);
  return end === unknown ? undefined : end;
}

/** What the API server sends is a tenth as deep. */
const depthMax = 100;

const unknown = -1;

function pastValue(bytes: Uint8Array, start: number, depth: number): number {
  switch (bytes[start]) {
    case quote:
      return pastText(bytes, start);
    case openBrace:
      return depth === 0 ? unknown : pastObject(bytes, start, depth - 1);
    case openBracket:
      return depth === 0 ? unknown : pastList(bytes, start, depth - 1);
    case 0x74:
      return pastWord(bytes, start, 'true');
    case 0x66:
      return pastWord(bytes, start, 'false');
    case 0x6e:
      return pastWord(bytes, start, 'null');
    default:
      return pastWhole(bytes, start);
  }
}

function pastList(bytes: Uint8Array, start: number, depth: number): number {
  if (bytes[start + 1] === closeBracket) return start + 2;
  for (let position = start; position !== unknown;) {
    position = pastValue(bytes, position + 1, depth);
    if (position === unknown) break;
    if (bytes[position] === closeBracket) return position + 1;
    if (bytes[position] !== comma) break;
  }
  return unknown;
}

function pastObject(bytes: Uint8Array, start: number, depth: number): number {
  if (bytes[start + 1] === closeBrace) return start + 2;
  for (let position = start; position !== unknown;) {
    position = bytes[position + 1] === quote ? pastText(bytes, position + 1) : unknown;
    if (position === unknown || bytes[position] !== colon) break;
    position = pastValue(bytes, position + 1, depth);
    if (position === unknown) break;
    if (bytes[position] === closeBrace) return position + 1;
    if (bytes[position] !== comma) break;
  }
  return unknown;
}

function pastText(bytes: Uint8Array, start: number): number {
  let position = start + 1;
  for (;;) {
    const byte = bytes[position] ?? 0;
    if (byte === quote) return position + 1;
    if (byte < blank) return unknown;
    position += 1;
    if (byte === backslash) {
      // Code points in figures are not looked into.
      if (!escapes.includes(bytes[position] ?? 0)) return unknown;
      position += 1;
    }
  }
}

function pastWord(bytes: Uint8Array, start: number, word: string): number {
  for (let index = 0; index < word.length; index += 1) {
    if (bytes[start + index] !== word.charCodeAt(index)) return unknown;
  }
  return start + word.length;
}

/** A fraction or an exponent behind it is neither a comma nor a bracket, and ends the search. */
function pastWhole(bytes: Uint8Array, start: number): number {
  const first = bytes[start] === minus ? start + 1 : start;
  let position = first;
  while (isDigit(bytes[position])) position += 1;
  const hasLeadingZero = bytes[first] === zero && position > first + 1;
  return position === first || hasLeadingZero ? unknown : position;
}

function isDigit(byte: number | undefined): boolean {
  return byte !== undefined && byte >= zero && byte <= zero + 9;
}

const blank = 0x20;
const quote = 0x22;
const comma = 0x2c;
const minus = 0x2d;
const zero = 0x30;
const colon = 0x3a;
const openBracket = 0x5b;
const backslash = 0x5c;
const closeBracket = 0x5d;
const openBrace = 0x7b;
const closeBrace = 0x7d;

/** What may stand behind a backslash. */
const escapes: readonly number[] = Array.from('"\\/bfnrt', (letter) => letter.charCodeAt(0));
