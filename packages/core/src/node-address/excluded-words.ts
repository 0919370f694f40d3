/**
 * Texts about excluded addresses for messages: the addresses, and what excludes each. Without them
 * a message would say that the cloud has no address although it has one. Addresses with one common
 * reason take at most 40 characters. Addresses with several reasons take at most 160, because the
 * reasons come from the configuration.
 */
import { enumerate, printable } from './wording.ts';

export interface ExcludedEntry {
  readonly address: string;
  readonly reason: string;
}

/** `10.0.0.5 is excluded (API VIP)`, for at least one address. */
export function areExcluded(excluded: readonly ExcludedEntry[]): string {
  const { addresses, verb, reason } = wordsFor(excluded);
  return `${addresses} ${verb} excluded${reason}`;
}

/** `10.0.0.5, which is excluded (API VIP)`, for at least one address. */
export function whichAreExcluded(excluded: readonly ExcludedEntry[]): string {
  const { addresses, verb, reason } = wordsFor(excluded);
  return `${addresses}, which ${verb} excluded${reason}`;
}

/** ` (API VIP)`, or several reasons if exclusions by type give them for one address. */
export function reasonsOf(excluded: readonly ExcludedEntry[]): string {
  const reasons = new Set(excluded.map(({ reason }) => reason));
  return ` (${enumerate([...reasons], reasonMax)})`;
}

interface Words {
  readonly addresses: string;
  readonly verb: 'is' | 'are';
  readonly reason: string;
}

/** One reason is stated once; several are stated per address. */
function wordsFor(excluded: readonly ExcludedEntry[]): Words {
  const reasonOf = new Map(excluded.map(({ address, reason }) => [address, reason]));
  const verb = reasonOf.size === 1 ? 'is' : 'are';
  const [reason = '', ...otherReasons] = new Set(reasonOf.values());
  if (otherReasons.length === 0) {
    const addresses = enumerate([...reasonOf.keys()], addressesMax);
    return { addresses, verb, reason: ` (${printable(reason, reasonMax)})` };
  }
  const texts = [...reasonOf].map(([address, why]) => `${address} (${printable(why, reasonMax)})`);
  return { addresses: enumerate(texts, textsMax), verb, reason: '' };
}

/** The maximum length of addresses with one common reason. */
export const addressesMax = 40;
const textsMax = 160;
const reasonMax = 64;
