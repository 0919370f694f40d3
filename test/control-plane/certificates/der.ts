/**
 * The few DER forms that a certificate is made of (X.690), written and never read. A library was
 * rejected: `@peculiar/x509` loads only after a global `Reflect` polyfill, and brings twenty packages
 * for these lines.
 */

export function sequence(...parts: readonly Buffer[]): Buffer {
  return element(0x30, Buffer.concat(parts));
}

export function set(...parts: readonly Buffer[]): Buffer {
  return element(0x31, Buffer.concat(parts));
}

/** A positive integer from its big-endian bytes. */
export function integer(bytes: Buffer): Buffer {
  const firstKept = bytes.findIndex((byte) => byte !== 0);
  const magnitude = firstKept === -1 ? Buffer.of(0) : bytes.subarray(firstKept);
  // A leading bit of one would read as a minus sign.
  const isNegative = (magnitude[0] ?? 0) >= 0x80;
  return element(0x02, isNegative ? Buffer.concat([Buffer.of(0), magnitude]) : magnitude);
}

export function boolean(value: boolean): Buffer {
  return element(0x01, Buffer.of(value ? 0xff : 0x00));
}

export function octetString(content: Buffer): Buffer {
  return element(0x04, content);
}

/** A bit string of whole bytes, or one whose last `unusedBits` bits do not count. */
export function bitString(content: Buffer, unusedBits: number = 0): Buffer {
  return element(0x03, Buffer.concat([Buffer.of(unusedBits), content]));
}

export function utf8String(text: string): Buffer {
  return element(0x0c, Buffer.from(text, 'utf8'));
}

/** Certificates carry years before 2050 as UTCTime and later ones as GeneralizedTime (RFC 5280). */
export function time(epochMs: number): Buffer {
  const digits = new Date(epochMs).toISOString().replace(/\.\d+/, '').replace(/[-:T]/g, '');
  return digits < '2050'
    ? element(0x17, Buffer.from(digits.slice(2), 'ascii'))
    : element(0x18, Buffer.from(digits, 'ascii'));
}

/** An object identifier from its dotted text, such as `2.5.29.15`. */
export function objectIdentifier(dotted: string): Buffer {
  const [first = 0, second = 0, ...rest] = dotted.split('.').map(Number);
  return element(0x06, Buffer.from([first * 40 + second, ...rest].flatMap(base128)));
}

/** The context-specific tag `[number]` around a content of its own or around whole elements. */
export function tagged(
  number: number,
  content: Buffer,
  form: 'primitive' | 'constructed' = 'constructed',
): Buffer {
  return element((form === 'constructed' ? 0xa0 : 0x80) | number, content);
}

function element(tag: number, content: Buffer): Buffer {
  return Buffer.concat([Buffer.of(tag), length(content.length), content]);
}

function length(count: number): Buffer {
  if (count < 0x80) return Buffer.of(count);
  const bytes = Buffer.alloc(4);
  bytes.writeUInt32BE(count);
  const significant = bytes.subarray(bytes.findIndex((byte) => byte !== 0));
  return Buffer.concat([Buffer.of(0x80 | significant.length), significant]);
}

/** Seven bits a byte, most significant first, all but the last marked as having a successor. */
function base128(value: number): number[] {
  const bytes = [value & 0x7f];
  for (let rest = value >>> 7; rest > 0; rest >>>= 7) bytes.unshift((rest & 0x7f) | 0x80);
  return bytes;
}
