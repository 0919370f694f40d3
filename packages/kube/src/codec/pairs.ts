/**
 * Labels and annotations in memory: alternating keys and values in one flat list, sorted by key, each key
 * once. Five thousand nodes with a dozen labels each take a third of the memory of maps. Two sets are
 * equal if their lists are.
 */
export type Pairs = readonly string[];

const noPairs: Pairs = Object.freeze([]);

export function valueAt(pairs: Pairs, key: string): string | undefined {
  for (let index = 0; index < pairs.length; index += 2) {
    if (pairs[index] === key) return pairs[index + 1];
  }
  return undefined;
}

/** As an object, for the planner. */
export function recordOf(pairs: Pairs): Readonly<Record<string, string>> {
  return Object.fromEntries(entriesOf(pairs));
}

/** Takes alternating keys and values in any order. The last value of a repeated key wins. */
export function sortedPairs(turns: readonly string[]): Pairs {
  if (turns.length === 0) return noPairs;
  // A collected list has spare capacity. The copy has none.
  if (isSorted(turns)) return turns.slice();
  return [...new Map(entriesOf(turns))].toSorted(([a], [b]) => (a < b ? -1 : 1)).flat();
}

/** Whether two lists have the same strings in the same order. */
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

/** The API server sorts. Other servers may not. */
function isSorted(turns: readonly string[]): boolean {
  for (let index = 2; index < turns.length; index += 2) {
    if ((turns[index - 2] ?? '') >= (turns[index] ?? '')) return false;
  }
  return true;
}
