/** Small draws that plans are made of. */
import type { Random } from '@tandem/runtime';

/** A whole number, both ends included. */
export function between(random: Random, min: number, max: number): number {
  return min + Math.floor(random.next() * (max - min + 1));
}

export function oneOf<const T>(random: Random, [first, ...others]: readonly [T, ...T[]]): T {
  return others[Math.floor(random.next() * (others.length + 1)) - 1] ?? first;
}

/** Takes one out of the list; nothing where the list is empty. */
export function takeOne<T>(random: Random, list: T[]): T | undefined {
  return list.splice(Math.floor(random.next() * list.length), 1)[0];
}

export function isDrawn(random: Random, chance: number): boolean {
  return random.next() < chance;
}
