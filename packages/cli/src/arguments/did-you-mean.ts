/** Suggests the known name that the user probably meant, or nothing if no name is close. */

/** Shorter words resemble everything. Longer words are not typing mistakes, and slow to compare. */
const lengthMin = 3;
const lengthMax = 80;

export function suggestion(given: string, known: readonly string[]): string | undefined {
  if (given.length < lengthMin || given.length > lengthMax) return undefined;
  const text = given.toLowerCase();
  const distanceMax = Math.max(1, Math.min(3, Math.floor(text.length / 4)));
  let best: string | undefined;
  let bestDistance = distanceMax + 1;
  for (const name of known) {
    const distance = distanceOf(text, name.toLowerCase(), bestDistance);
    if (distance < bestDistance) [best, bestDistance] = [name, distance];
  }
  return best;
}

/** Letters added, lost, changed or swapped between two texts; gives up at the limit. */
function distanceOf(one: string, other: string, limit: number): number {
  if (Math.abs(one.length - other.length) >= limit) return limit;
  let beforeLast: number[] = [];
  let last = Array.from({ length: other.length + 1 }, (_, index) => index);
  for (let i = 1; i <= one.length; i += 1) {
    const row = [i];
    for (let j = 1; j <= other.length; j += 1) {
      const isSame = one[i - 1] === other[j - 1];
      const isSwapped = one[i - 1] === other[j - 2] && one[i - 2] === other[j - 1];
      row.push(
        Math.min(
          (last[j] ?? limit) + 1,
          (row[j - 1] ?? limit) + 1,
          (last[j - 1] ?? limit) + (isSame ? 0 : 1),
          isSwapped ? (beforeLast[j - 2] ?? limit) + 1 : limit,
        ),
      );
    }
    [beforeLast, last] = [last, row];
  }
  return last[other.length] ?? limit;
}
