import assert from 'node:assert/strict';
import * as fc from 'fast-check';
import { seededRandom } from './testing/seeded-random.ts';
import { type Backoff, backoffDelayMs, wholeBackoffMs } from './backoff.ts';

const backoff: Backoff = { baseMs: 100, capMs: 1_000, jitter: 0.5 };

describe('a back-off', () => {
  it('doubles from its base up to its cap', () => {
    const delays = [1, 2, 3, 4, 5, 2_000].map((failures) => wholeBackoffMs(backoff, failures));
    assert.deepEqual(delays, [100, 200, 400, 800, 1_000, 1_000]);
  });

  it('shortens a delay by at most the share of its jitter, never lengthens it, and varies', () => {
    const seen = new Set<number>();
    fc.assert(
      fc.property(fc.string(), fc.integer({ min: 1, max: 50 }), (seed, failures) => {
        const wholeMs = wholeBackoffMs(backoff, failures);
        const delayMs = backoffDelayMs(backoff, failures, seededRandom(seed));
        assert.ok(delayMs > wholeMs / 2 && delayMs <= wholeMs, `${delayMs} of ${wholeMs}`);
        seen.add(delayMs);
      }),
    );
    assert.ok(seen.size > 50);
  });
});
