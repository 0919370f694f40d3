/**
 * Checks a condition that only a fault of this program can break, and throws so that the program
 * stops.
 */
export function assert(condition: boolean, claim: string): asserts condition {
  if (!condition) throw new Error(`this should never happen: ${claim}`);
}
