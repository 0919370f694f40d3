/** Worlds that found a mistake once stay right. */
import assert from 'node:assert/strict';
import { regressions } from './regressions/index.ts';
import { runWorld } from './world/index.ts';
import { describeFailure } from './worlds.ts';

describe('a world that once found a mistake', () => {
  for (const { seed, found } of regressions) {
    it(`keeps every promise now: ${seed}`, async () => {
      const end = await runWorld({ seed });
      assert.equal(end.violation, undefined, `${describeFailure(end)}\n  It once found: ${found}`);
    });
  }
});
