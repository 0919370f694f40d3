/**
 * A second parser of IP literals for tests, with another method: it reads the text one character at
 * a time into groups of 16 bits, without a regular expression or split. Returns the four words, or
 * null.
 */
export function naiveParse(text: string): readonly number[] | null {
  for (const character of text) {
    if (character === '.') return naiveIPv4(text);
    if (character === ':') return naiveIPv6(text);
  }
  return null;
}

function naiveIPv4(text: string): number[] | null {
  const value = readQuad(text);
  return value === null ? null : [0, 0, 0xffff, value];
}

function naiveIPv6(text: string): number[] | null {
  const before: number[] = [];
  const after: number[] = [];
  let groups = before;
  let at = 0;
  let isGapSeen = false;
  if (text[0] === ':') {
    if (text[1] !== ':') return null;
    isGapSeen = true;
    groups = after;
    at = 2;
  }
  while (at < text.length) {
    let end = at;
    while (end < text.length && text[end] !== ':') end++;
    const piece = text.slice(at, end);
    if (piece.includes('.')) {
      const quad = end === text.length ? readQuad(piece) : null;
      if (quad === null) return null;
      groups.push(Math.floor(quad / 65536), quad % 65536);
    } else {
      const group = readNumber(piece, 16, 65535);
      if (group === null) return null;
      groups.push(group);
    }
    if (end === text.length) break;
    if (end === text.length - 1) return null;
    at = end + 1;
    if (text[at] === ':') {
      if (isGapSeen) return null;
      isGapSeen = true;
      groups = after;
      at++;
    }
  }
  const missing = 8 - before.length - after.length;
  if (isGapSeen ? missing < 1 : missing !== 0) return null;
  while (before.length + after.length < 8) before.push(0);
  const all = [...before, ...after];
  return [0, 2, 4, 6].map((index) => all[index]! * 65536 + all[index + 1]!);
}

function readQuad(text: string): number | null {
  let value = 0;
  let octets = 0;
  let piece = '';
  for (const character of `${text}.`) {
    if (character !== '.') {
      piece += character;
      continue;
    }
    const octet = readNumber(piece, 10, 255);
    if (octet === null) return null;
    value = value * 256 + octet;
    octets++;
    piece = '';
  }
  return octets === 4 ? value : null;
}

function readNumber(text: string, base: number, max: number): number | null {
  if (text === '') return null;
  let value = 0;
  for (const character of text.toLowerCase()) {
    const digit = '0123456789abcdef'.indexOf(character);
    if (digit < 0 || digit >= base) return null;
    value = value * base + digit;
    if (value > max) return null;
  }
  return value;
}
