import assert from 'node:assert/strict';
import { ApiError } from '../client/index.ts';
import type { PatchOutcome } from './patch-outcome.ts';
import { guardedAttemptsMax, retryGuarded } from './retry-guarded.ts';

const applied: PatchOutcome = { kind: 'applied', resourceVersion: '9' };

const guardFailed: PatchOutcome = {
  kind: 'guardFailed',
  err: new ApiError('no', {
    code: 'ApiInvalid',
    retry: 'never',
    effect: 'none',
    status: { code: 422, reason: 'Invalid', message: '', causes: [], retryAfterSeconds: undefined },
  }),
};

/** An object whose live reads give 1, 2, 3 …; the cache has 0. */
function world(outcomes: readonly PatchOutcome[]) {
  const planned: number[] = [];
  let reads = 0;
  return {
    planned,
    write: {
      read: async (): Promise<number | undefined> => ++reads,
      plan: (live: number): number | undefined => live,
      apply: async (plan: number) => {
        planned.push(plan);
        return outcomes[planned.length - 1] ?? guardFailed;
      },
    },
  };
}

describe('a guarded write', () => {
  it('is planned from the cache first, and from live reads once a guard failed', async () => {
    const { planned, write } = world([guardFailed, guardFailed, applied]);
    assert.deepEqual(await retryGuarded({ ...write, seen: 0 }), applied);
    assert.deepEqual(planned, [0, 1, 2]);
  });

  it('is planned from a live read at once where there is no cache', async () => {
    const { planned, write } = world([applied]);
    assert.deepEqual(await retryGuarded(write), applied);
    assert.deepEqual(planned, [1]);
  });

  it('gives up after five attempts', async () => {
    const { planned, write } = world([]);
    assert.equal((await retryGuarded(write)).kind, 'guardFailed');
    assert.equal(planned.length, guardedAttemptsMax);
  });

  it('ends at any other outcome', async () => {
    const gone: PatchOutcome = { kind: 'gone' };
    const { planned, write } = world([guardFailed, gone]);
    assert.deepEqual(await retryGuarded(write), gone);
    assert.equal(planned.length, 2);
  });

  it('ends when a fresh look shows that nothing is to be done, or nothing is there', async () => {
    const { write } = world([guardFailed]);
    const plan = (live: number): number | undefined => (live === 1 ? live : undefined);
    assert.deepEqual(await retryGuarded({ ...write, plan }), { kind: 'nothingToDo' });
    const read = async (): Promise<undefined> => undefined;
    assert.deepEqual(await retryGuarded({ ...write, read }), { kind: 'gone' });
  });
});
