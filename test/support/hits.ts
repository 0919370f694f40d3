/** For properties that apply to some of the generated inputs only: these must occur often enough to mean anything. */
import assert from 'node:assert/strict';

/** Runs a property, and fails where it called `hit` fewer times than this. */
export function assertHits(least: number, run: (hit: () => void) => void): void {
  let hits = 0;
  run(() => {
    hits += 1;
  });
  assert.ok(hits >= least, `the property met its case ${hits} times, of at least ${least}`);
}
