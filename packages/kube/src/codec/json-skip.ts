/**
 * Finds the end of a list in JSON without making anything of it. It knows the compact form that the API
 * server writes, and numbers only if they are whole; whatever else there may be, it says that it does
 * not know. It never takes what is no JSON for a list.
 *
 * Most of such a list are texts, and these are passed over by looking for the next quotation mark, which
 * the engine does many times faster than a loop over characters.
 */

/** One text that is looked through for any number of lists. Between the two places is no backslash. */
export interface JsonScan {
  readonly json: string;
  plainFrom: number;
  backslashAt: number;
}

export function scanOf(json: string): JsonScan {
  return { json, plainFrom: 0, backslashAt: 0 };
}

/** Where the list ends whose bracket is at `start`; undefined where that cannot be said. */
export function pastJsonList(scan: JsonScan, start: number): number | undefined {
  const end = pastList(scan, start, depthMax);
  if (end === unknown || controlCharacter.test(scan.json.slice(start, end))) return undefined;
  return end;
}

/** Has to be written otherwise in JSON, wherever it stands. */
const controlCharacter = /[^\u0020-\uffff]/;

/** What the API server sends is a tenth as deep. */
const depthMax = 100;

const unknown = -1;

function pastValue(scan: JsonScan, start: number, depth: number): number {
  switch (scan.json.charCodeAt(start)) {
    case quote:
      return pastText(scan, start);
    case openBrace:
      return depth === 0 ? unknown : pastObject(scan, start, depth - 1);
    case openBracket:
      return depth === 0 ? unknown : pastList(scan, start, depth - 1);
    case 0x74:
      return pastWord(scan, start, 'true');
    case 0x66:
      return pastWord(scan, start, 'false');
    case 0x6e:
      return pastWord(scan, start, 'null');
    default:
      return pastWhole(scan, start);
  }
}

function pastList(scan: JsonScan, start: number, depth: number): number {
  const { json } = scan;
  if (json.charCodeAt(start + 1) === closeBracket) return start + 2;
  for (let position = start; position !== unknown;) {
    position = pastValue(scan, position + 1, depth);
    if (position === unknown) break;
    const next = json.charCodeAt(position);
    if (next === closeBracket) return position + 1;
    if (next !== comma) break;
  }
  return unknown;
}

function pastObject(scan: JsonScan, start: number, depth: number): number {
  const { json } = scan;
  if (json.charCodeAt(start + 1) === closeBrace) return start + 2;
  for (let position = start; position !== unknown;) {
    const isName = json.charCodeAt(position + 1) === quote;
    position = isName ? pastText(scan, position + 1) : unknown;
    if (position === unknown || json.charCodeAt(position) !== colon) break;
    position = pastValue(scan, position + 1, depth);
    if (position === unknown) break;
    const next = json.charCodeAt(position);
    if (next === closeBrace) return position + 1;
    if (next !== comma) break;
  }
  return unknown;
}

function pastText(scan: JsonScan, start: number): number {
  const { json } = scan;
  let end = json.indexOf('"', start + 1);
  // A list within one that was given up begins before the places that were reached.
  if (start < scan.plainFrom || start >= scan.backslashAt) lookForBackslash(scan, start);
  while (scan.backslashAt < end) {
    const after = scan.backslashAt + 2;
    // Code points in figures are not looked into.
    if (!escapes.includes(json.charCodeAt(after - 1))) return unknown;
    // The quotation mark was the one behind this backslash.
    if (end < after) end = json.indexOf('"', after);
    lookForBackslash(scan, after);
  }
  return end < 0 ? unknown : end + 1;
}

function lookForBackslash(scan: JsonScan, from: number): void {
  const at = scan.json.indexOf('\\', from);
  scan.plainFrom = from;
  // Beyond every text where there is none.
  scan.backslashAt = at < 0 ? Number.POSITIVE_INFINITY : at;
}

function pastWord({ json }: JsonScan, start: number, word: string): number {
  return json.startsWith(word, start) ? start + word.length : unknown;
}

/** A fraction or an exponent behind it is neither a comma nor a bracket, and ends the search. */
function pastWhole({ json }: JsonScan, start: number): number {
  const first = json.charCodeAt(start) === minus ? start + 1 : start;
  let position = first;
  while (isDigit(json.charCodeAt(position))) position += 1;
  const hasLeadingZero = json.charCodeAt(first) === zero && position > first + 1;
  return position === first || hasLeadingZero ? unknown : position;
}

function isDigit(code: number): boolean {
  return code >= zero && code <= zero + 9;
}

const quote = 0x22;
const comma = 0x2c;
const minus = 0x2d;
const zero = 0x30;
const colon = 0x3a;
const openBracket = 0x5b;
const closeBracket = 0x5d;
const openBrace = 0x7b;
const closeBrace = 0x7d;

/** What may stand behind a backslash. */
const escapes: readonly number[] = Array.from('"\\/bfnrt', (letter) => letter.charCodeAt(0));
