/** An IP address as the four or sixteen bytes that a certificate holds. */
import { isIPv6 } from 'node:net';

/** Takes what `node:net` calls an address; a zone has no place in a certificate. */
export function ipBytes(address: string): Buffer {
  if (!isIPv6(address)) return Buffer.from(address.split('.').map(Number));
  // The parser of URLs writes every form, an IPv4 tail included, in groups of hexadecimal digits.
  const canonical = new URL(`http://[${address}]/`).hostname.slice(1, -1);
  const [head = '', tail = ''] = canonical.split('::');
  const before = groupsIn(head);
  const after = groupsIn(tail);
  const zeros = Array<number>(8 - before.length - after.length).fill(0);
  return Buffer.from(
    [...before, ...zeros, ...after].flatMap((group) => [group >> 8, group & 0xff]),
  );
}

function groupsIn(text: string): number[] {
  return text === '' ? [] : text.split(':').map((group) => Number.parseInt(group, 16));
}
