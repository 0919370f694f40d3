/** Identity as a port: leader-election identities and the like, random in production, seeded in tests. */
import { randomUUID } from 'node:crypto';
import type { Random } from './random.ts';

export interface Ids {
  /** A version-4 UUID. */
  uuid(): string;
}

export const systemIds: Ids = { uuid: () => randomUUID() };

const hexDigits = '0123456789abcdef';

/** UUIDs that follow from the random source alone. */
export function seededIds(random: Random): Ids {
  const digit = (): string => hexDigits.charAt(random.next() * 16);
  const hex = (digits: number): string => {
    let text = '';
    for (let length = 0; length < digits; length++) text += digit();
    return text;
  };
  const variant = (): string => hexDigits.charAt(8 + random.next() * 4);
  return { uuid: () => `${hex(8)}-${hex(4)}-4${hex(3)}-${variant()}${hex(3)}-${hex(12)}` };
}
