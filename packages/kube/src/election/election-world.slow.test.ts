/** Runs hundreds of simulated elections. A failure names its seed. */
import assert from 'node:assert/strict';
import { runElection } from './election-world.fixture.ts';

const elections = 200;

describe('electors under faults', function () {
  this.timeout(30_000);

  it(`never have two gates open, nor writes that arrive too late, in ${elections} elections`, async () => {
    for (let number = 0; number < elections; number++) {
      const seed = `election-${number}`;
      const { violations, trace } = await runElection(seed);
      const story = [`seed ${seed} (runElection('${seed}') replays it)`, ...violations, ...trace];
      assert.deepEqual(violations, [], story.join('\n'));
    }
  });

  it('take the same steps for the same seed', async () => {
    const first = await runElection('replayed');
    assert.deepEqual((await runElection('replayed')).trace, first.trace);
    assert.ok(first.trace.length > 50);
  });
});
