/**
 * Headers as they were sent: each line on its own, never joined or split at commas, because the name of a group may
 * contain a comma.
 */

/** Names and values in turn, as Node.js returns them: bytes decoded as Latin-1. */
export type RawHeaders = readonly string[];

export interface HeaderLine {
  /** In lower case. */
  readonly name: string;
  /** Undefined if the bytes are not UTF-8: such a value names no user. */
  readonly value: string | undefined;
}

export function headerLines(raw: RawHeaders): HeaderLine[] {
  const lines: HeaderLine[] = [];
  for (let index = 0; index + 1 < raw.length; index += 2) {
    lines.push({ name: (raw[index] ?? '').toLowerCase(), value: utf8In(raw[index + 1] ?? '') });
  }
  return lines;
}

/** Returns the values of all lines with this name, in their order. */
export function valuesOf(lines: readonly HeaderLine[], name: string): (string | undefined)[] {
  const wanted = name.toLowerCase();
  return lines.filter((line) => line.name === wanted).map((line) => line.value);
}

const utf8 = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });

function utf8In(latin1: string): string | undefined {
  try {
    return utf8.decode(Buffer.from(latin1, 'latin1'));
  } catch {
    return undefined;
  }
}
