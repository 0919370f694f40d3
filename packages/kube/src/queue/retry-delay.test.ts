import assert from 'node:assert/strict';
import { seededRandom } from '@tandem/runtime/testing';
import { askedDelayMs, backoffDefault } from './retry-delay.ts';

describe('a requested delay', () => {
  const delayMs = (afterMs: number): number =>
    askedDelayMs(backoffDefault, afterMs, seededRandom('asked'));

  it('is never shortened, and lengthened by at most a tenth', () => {
    for (const afterMs of [1, 1_000, 60_000, 300_000]) {
      assert.ok(delayMs(afterMs) >= afterMs && delayMs(afterMs) <= afterMs * 1.1);
    }
  });

  it('is bounded, whatever a faulty server requests', () => {
    assert.ok(delayMs(Number.MAX_SAFE_INTEGER) <= 11 * 60_000);
  });
});
