/**
 * Writes the few forms of DER (X.690) that a certificate needs. `node:crypto` can read certificates but not write them,
 * and a library for these few lines would be the largest part of this package.
 */
export const derTag = {
  boolean: 0x01,
  integer: 0x02,
  bitString: 0x03,
  octetString: 0x04,
  objectIdentifier: 0x06,
  utf8String: 0x0c,
  utcTime: 0x17,
  generalizedTime: 0x18,
  sequence: 0x30,
  set: 0x31,
} as const;

export function sequence(...parts: readonly Uint8Array[]): Buffer {
  return element(derTag.sequence, Buffer.concat(parts));
}

export function set(...parts: readonly Uint8Array[]): Buffer {
  return element(derTag.set, Buffer.concat(parts));
}

export function isTrue(): Buffer {
  return element(derTag.boolean, Buffer.of(0xff));
}

/** Writes a positive number from its big-endian bytes. */
export function integer(magnitude: Uint8Array): Buffer {
  // A leading bit of 1 would make the number negative.
  const sign = (magnitude[0] ?? 0) >= 0x80 ? [Buffer.of(0)] : [];
  return element(derTag.integer, Buffer.concat([...sign, magnitude]));
}

export function octetString(content: Uint8Array): Buffer {
  return element(derTag.octetString, content);
}

/** Writes bytes as a bit string. The last `unusedBits` bits of the last byte do not count. */
export function bitString(content: Uint8Array, unusedBits: number): Buffer {
  return element(derTag.bitString, Buffer.concat([Buffer.of(unusedBits), content]));
}

export function utf8String(text: string): Buffer {
  return element(derTag.utf8String, Buffer.from(text, 'utf8'));
}

/** Writes a time: years before 2050 with two digits, later ones with four (RFC 5280). */
export function time(epochMs: number): Buffer {
  const digits = new Date(epochMs).toISOString().replaceAll(/[-:T]|\.\d+/g, '');
  return digits < '2050'
    ? element(derTag.utcTime, Buffer.from(digits.slice(2), 'ascii'))
    : element(derTag.generalizedTime, Buffer.from(digits, 'ascii'));
}

export function objectIdentifier(dotted: string): Buffer {
  const [first = 0, second = 0, ...rest] = dotted.split('.').map(Number);
  return element(
    derTag.objectIdentifier,
    Buffer.from([first * 40 + second, ...rest].flatMap(sevenBits)),
  );
}

/** Writes the context tag `[number]` around whole elements, or in place of an element's own tag. */
export function tagged(
  number: number,
  content: Uint8Array,
  form: 'constructed' | 'primitive' = 'constructed',
): Buffer {
  return element((form === 'constructed' ? 0xa0 : 0x80) | number, content);
}

/** An extension of a certificate, by its identifier. */
export function extension(
  id: Buffer,
  value: Buffer,
  weight: 'critical' | 'plain' = 'plain',
): Buffer {
  return sequence(id, ...(weight === 'critical' ? [isTrue()] : []), octetString(value));
}

/** An attribute of a name, by its identifier. */
export function attribute(id: Buffer, value: string): Buffer {
  return set(sequence(id, utf8String(value)));
}

function element(tag: number, content: Uint8Array): Buffer {
  return Buffer.concat([Buffer.of(tag), lengthOf(content), content]);
}

function lengthOf({ length }: Uint8Array): Buffer {
  if (length < 0x80) return Buffer.of(length);
  const bytes: number[] = [];
  for (let rest = length; rest > 0; rest >>>= 8) bytes.unshift(rest & 0xff);
  return Buffer.of(0x80 | bytes.length, ...bytes);
}

/** Splits a number into groups of seven bits, most significant first. All but the last have the continuation bit. */
function sevenBits(value: number): number[] {
  const bytes = [value & 0x7f];
  for (let rest = value >>> 7; rest > 0; rest >>>= 7) bytes.unshift((rest & 0x7f) | 0x80);
  return bytes;
}
