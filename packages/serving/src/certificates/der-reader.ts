/**
 * Reads as much of DER as the extensions of a certificate need. Any client may send the input, so every length is checked
 * against the bytes that follow; a mismatch is a `RangeError`.
 */
export interface DerElement {
  readonly tag: number;
  readonly content: Uint8Array;
}

/** Returns the consecutive elements in these bytes. */
export function readElements(bytes: Uint8Array): DerElement[] {
  const elements: DerElement[] = [];
  for (let offset = 0; offset < bytes.length;) {
    const { start, end } = boundsAt(bytes, offset);
    elements.push({ tag: bytes[offset] ?? 0, content: bytes.subarray(start, end) });
    offset = end;
  }
  return elements;
}

/** Returns the single element that these bytes contain. */
export function readElement(bytes: Uint8Array): DerElement {
  const [only, ...others] = readElements(bytes);
  if (only === undefined || others.length > 0) throw new RangeError('not one DER element');
  return only;
}

function boundsAt(bytes: Uint8Array, offset: number): { start: number; end: number } {
  const first = bytes[offset + 1];
  if (first === undefined) throw new RangeError('a DER element ends early');
  const lengthBytes = first < 0x80 ? 0 : first & 0x7f;
  // Three bytes can express 16 MB, far more than any certificate has.
  if (first === 0x80 || lengthBytes > 3) throw new RangeError('a DER element has no usable length');
  const start = offset + 2 + lengthBytes;
  const length = lengthBytes === 0 ? first : bigEndian(bytes.subarray(offset + 2, start));
  if (start + length > bytes.length) throw new RangeError('a DER element ends early');
  return { start, end: start + length };
}

/** Returns the number in these bytes, most significant byte first. */
export function bigEndian(bytes: Uint8Array): number {
  return bytes.reduce((value, byte) => value * 256 + byte, 0);
}
