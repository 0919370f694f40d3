/** Hundreds of worlds of electors, each from a seed that is named when something goes wrong in it. */
import assert from 'node:assert/strict';
import { liveThrough } from './election-world.fixture.ts';

const worlds = 200;

describe('electors under faults', function () {
  this.timeout(30_000);

  it(`never have two gates open, nor writes that come too late, in ${worlds} worlds`, async () => {
    for (let number = 0; number < worlds; number++) {
      const seed = `election-${number}`;
      const { violations, trace } = await liveThrough(seed);
      const story = [`seed ${seed} (liveThrough('${seed}') replays it)`, ...violations, ...trace];
      assert.deepEqual(violations, [], story.join('\n'));
    }
  });

  it('take the same steps for the same seed', async () => {
    const first = await liveThrough('replayed');
    assert.deepEqual((await liveThrough('replayed')).trace, first.trace);
    assert.ok(first.trace.length > 50);
  });
});
