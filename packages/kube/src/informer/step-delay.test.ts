import assert from 'node:assert/strict';
import { seededRandom } from '@tandem/runtime/testing';
import { StepDelay } from './step.ts';
import { informerLimits } from './limits.ts';

describe('the back-off of an informer', () => {
  const after = (retryAfterMs: number): number =>
    new StepDelay(seededRandom('back-off'), informerLimits).delayMs({
      ending: 'throttled',
      livedMs: 0,
      retryAfterMs,
    });

  it('waits as long as a server asks for', () => {
    assert.equal(after(20_000), 20_000);
  });

  it('limits the wait that a server asks for', () => {
    assert.equal(after(86_400_000), informerLimits.retryAfterMsMax);
  });
});
