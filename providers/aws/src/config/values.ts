/** What all readers of settings share: the values of a key, and how they say that one is wrong. */
import type { Entry } from './read-sections.ts';

/** Thrown with a message that names the line; the file is added by the one who knows it. */
export class SettingsProblem extends Error {}

/** In any case, in the order of the file. */
export function valuesOf(entries: readonly Entry[], key: string): readonly Entry[] {
  return entries.filter((entry) => entry.key.toLowerCase() === key.toLowerCase());
}
