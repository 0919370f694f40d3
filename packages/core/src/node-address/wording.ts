/**
 * Messages that quote foreign text. Control characters are escaped and long text is cut. A refusal quotes
 * at most 128 characters: two parts of a request, or a request and part of the cloud's list.
 */
/** For a request and the cloud's list together, with a little to spare. */
export const echoMax = 120;
const requestEchoMax = 48;
export const cloudEchoMax = 80;

/** The text in quotes, cut to the limit, with everything unprintable escaped. */
export function quote(text: string, lengthMax: number = requestEchoMax): string {
  return `"${printable(text, lengthMax)}"`;
}

/**
 * An identifier in quotes. One that is too long loses its middle, because its end distinguishes it.
 */
export function quoteIdentifier(text: string, lengthMax: number): string {
  if (text.length <= lengthMax) return quote(text, lengthMax);
  const headLength = Math.floor(lengthMax / 4);
  const tailLength = lengthMax - headLength - 1;
  const [head, tail] = [text.slice(0, headLength), text.slice(-tailLength)];
  return `"${printable(head, headLength)}…${printable(tail, tailLength)}"`;
}

/** The text with unprintable characters escaped, cut to the maximum length. */
export function printable(text: string, lengthMax: number): string {
  if (text.length <= lengthMax && isOrdinary(text)) return text;
  let shown = '';
  for (const character of text.slice(0, lengthMax)) {
    const next = isOrdinary(character) ? character : escapeCharacter(character);
    if (shown.length + next.length >= lengthMax) return `${shown}…`;
    shown += next;
  }
  return text.length > lengthMax ? `${shown}…` : shown;
}

/** Printable ASCII without quotes and backslashes: nearly every text, so it is walked by codes. */
function isOrdinary(text: string): boolean {
  for (let at = 0; at < text.length; at++) {
    const code = text.charCodeAt(at);
    if (code < 0x20 || code > 0x7e || code === quoteCode || code === backslashCode) return false;
  }
  return true;
}

const quoteCode = 0x22;
const backslashCode = 0x5c;

function escapeCharacter(character: string): string {
  if (character === '"' || character === '\\') return `\\${character}`;
  return `\\u{${character.codePointAt(0)?.toString(16)}}`;
}

/** `a, b and c`, or as many texts as fit into the limit and the number of the rest. */
export function enumerate(texts: readonly string[], lengthMax: number = cloudEchoMax): string {
  const [first = ''] = texts;
  if (texts.length < 2) return printable(first, lengthMax);
  const shown: string[] = [];
  let length = 0;
  for (const text of texts) {
    const next = printable(text, lengthMax);
    if (length + next.length > lengthMax) break;
    length += next.length;
    shown.push(next);
  }
  const beyond = texts.length - shown.length;
  if (beyond > 0) shown.push(`${beyond} more`);
  let list = shown[0] ?? '';
  for (let index = 1; index < shown.length; index++) {
    list += `${index === shown.length - 1 ? ' and ' : ', '}${shown[index]}`;
  }
  return list;
}
