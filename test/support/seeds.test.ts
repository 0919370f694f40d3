import assert from 'node:assert/strict';
import { howToReplay, seedsOf } from './seeds.ts';

describe('the seeds of a test', () => {
  it('are the same every time', () => {
    assert.deepEqual(seedsOf('informer', 3, undefined), ['informer/0', 'informer/1', 'informer/2']);
  });

  it('are only the one to replay, and for other tests all of them', () => {
    assert.deepEqual(seedsOf('informer', 3, 'informer/137'), ['informer/137']);
    assert.deepEqual(seedsOf('queue', 1, 'informer/137'), ['queue/0']);
    assert.deepEqual(seedsOf('inform', 1, 'informer/137'), ['inform/0']);
  });

  it('come with the command that replays them', () => {
    const told = howToReplay('informer/7', 'a/b.test.ts');
    assert.match(told, /TANDEM_SEED=informer\/7 npm test -- a\/b\.test\.ts$/);
  });
});
