/**
 * An IP address as the four or sixteen bytes that a certificate holds. It trusts that `node:net` has
 * already called the text an address.
 */
export function ipBytes(address: string): Buffer {
  if (!address.includes(':')) return Buffer.from(address.split('.').map(Number));
  const [head = '', tail] = address.split('::');
  const before = groups(head);
  const after = groups(tail ?? '');
  const zeros = Array<number>(8 - before.length - after.length).fill(0);
  return Buffer.from(
    [...before, ...zeros, ...after].flatMap((group) => [group >> 8, group & 0xff]),
  );
}

function groups(text: string): number[] {
  return text === '' ? [] : text.split(':').map((group) => Number.parseInt(group, 16));
}
