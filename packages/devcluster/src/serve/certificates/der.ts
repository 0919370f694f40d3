/** The few DER forms (X.690) that certificates are made of; they are written here and never read. */
export type Form = 'constructed' | 'primitive';

export const sequence = (...parts: readonly Buffer[]): Buffer =>
  element(0x30, Buffer.concat(parts));

export const set = (...parts: readonly Buffer[]): Buffer => element(0x31, Buffer.concat(parts));

/** A number from its big-endian bytes; a leading bit of one would read as a minus sign. */
export const positiveInteger = (bytes: Buffer): Buffer =>
  element(0x02, Buffer.concat([Buffer.of(0), bytes].slice((bytes[0] ?? 0) < 0x80 ? 1 : 0)));

export const trueValue: Buffer = element(0x01, Buffer.of(0xff));

export const octets = (content: Buffer): Buffer => element(0x04, content);

/** Whole bytes, or a few named bits of one byte. */
export const bits = (content: Buffer, unusedBits = 0): Buffer =>
  element(0x03, Buffer.concat([Buffer.of(unusedBits), content]));

export const utf8 = (text: string): Buffer => element(0x0c, Buffer.from(text, 'utf8'));

/** Years before 2050 have two digits, later ones four (RFC 5280). */
export function instant(epochMs: number): Buffer {
  const digits = new Date(epochMs).toISOString().replaceAll(/[-:T]|\.\d+/g, '');
  return digits < '2050'
    ? element(0x17, Buffer.from(digits.slice(2), 'ascii'))
    : element(0x18, Buffer.from(digits, 'ascii'));
}

export function objectId(dotted: string): Buffer {
  const [first = 0, second = 0, ...rest] = dotted.split('.').map(Number);
  return element(0x06, Buffer.from([first * 40 + second, ...rest].flatMap(inSevens)));
}

/** The context tag `[number]`. */
export function context(number: number, content: Buffer, form: Form = 'constructed'): Buffer {
  return element((form === 'constructed' ? 0xa0 : 0x80) + number, content);
}

function element(tag: number, content: Buffer): Buffer {
  return Buffer.concat([Buffer.of(tag), lengthOf(content.length), content]);
}

function lengthOf(length: number): Buffer {
  if (length < 0x80) return Buffer.of(length);
  const bytes = length < 0x100 ? [length] : [length >> 8, length & 0xff];
  return Buffer.of(0x80 + bytes.length, ...bytes);
}

/** Seven bits to a byte, the highest first; all but the last say that more follow. */
function inSevens(value: number): number[] {
  const last = value & 0x7f;
  return value < 0x80 ? [last] : [...inSevens(value >>> 7).map((byte) => byte | 0x80), last];
}
