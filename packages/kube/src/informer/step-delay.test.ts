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

  it('obeys a server that asks to wait', () => {
    assert.equal(after(20_000), 20_000);
  });

  it('does not go blind for a day because a server asks for it', () => {
    assert.equal(after(86_400_000), informerLimits.retryAfterMsMax);
  });
});
