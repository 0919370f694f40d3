/** Identity as a port: leader-election identities and the like, random in production, seeded in tests. */
import { randomUUID } from 'node:crypto';
import type { Random } from './random.ts';

export interface Ids {
  /** A version-4 UUID. */
  uuid(): string;
}

export const systemIds: Ids = { uuid: () => randomUUID() };

/** UUIDs that follow from the random source alone. */
export function seededIds(random: Random): Ids {
  const hex = (digits: number): string =>
    Array.from({ length: digits }, () => Math.floor(random.next() * 16).toString(16)).join('');
  const variant = (): string => (8 + Math.floor(random.next() * 4)).toString(16);
  return { uuid: () => `${hex(8)}-${hex(4)}-4${hex(3)}-${variant()}${hex(3)}-${hex(12)}` };
}
