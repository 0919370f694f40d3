/**
 * Labels and annotations as they are kept: keys and values in turns in one flat list, sorted by key,
 * each key once. Five thousand nodes with a dozen labels each take a third of what maps would take,
 * and two sets are equal when the lists are.
 */
export type Pairs = readonly string[];

const noPairs: Pairs = Object.freeze([]);

/** The value of a key, if it is there. */
export function valueAt(pairs: Pairs, key: string): string | undefined {
  for (let index = 0; index < pairs.length; index += 2) {
    if (pairs[index] === key) return pairs[index + 1];
  }
  return undefined;
}

/** As an object, for those who decide. */
export function recordOf(pairs: Pairs): Readonly<Record<string, string>> {
  return Object.fromEntries(entriesOf(pairs));
}

/** Takes keys and values in turns, in any order; of a key that stands twice the last value counts. */
export function sortedPairs(turns: readonly string[]): Pairs {
  if (turns.length === 0) return noPairs;
  // The list that was collected has room to grow; the copy has not.
  if (isSorted(turns)) return turns.slice();
  return [...new Map(entriesOf(turns))].toSorted(([a], [b]) => (a < b ? -1 : 1)).flat();
}

/** Whether two lists of texts are the same, in the same order. */
export function isSameTexts(a: readonly string[], b: readonly string[]): boolean {
  if (a === b) return true;
  if (a.length !== b.length) return false;
  for (let index = 0; index < a.length; index += 1) if (a[index] !== b[index]) return false;
  return true;
}

function entriesOf(pairs: readonly string[]): [string, string][] {
  const entries: [string, string][] = [];
  for (let index = 0; index < pairs.length; index += 2) {
    entries.push([pairs[index] ?? '', pairs[index + 1] ?? '']);
  }
  return entries;
}

/** The API server sorts; a server that does not is still understood. */
function isSorted(turns: readonly string[]): boolean {
  for (let index = 2; index < turns.length; index += 2) {
    if ((turns[index - 2] ?? '') >= (turns[index] ?? '')) return false;
  }
  return true;
}
