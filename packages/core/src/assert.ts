/** For what cannot happen unless this program is wrong: stops it rather than letting it act. */
export function assert(condition: boolean, claim: string): asserts condition {
  if (!condition) throw new Error(`this should never happen: ${claim}`);
}
