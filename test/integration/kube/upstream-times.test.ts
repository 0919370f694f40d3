/**
 * The electors that campaign in upstream's times: they began with the quick ones of `election.test.ts`,
 * and run beside what comes after those. Here somebody waits for them.
 */
import { electionGround, type Ground, inUpstreamsTimes } from './election-stories.ts';

describe("electors on a real API server in upstream's times", function () {
  this.timeout(120_000);
  let ground: Ground;

  before(async function () {
    ground = await electionGround(this);
  });

  it('write nothing after 30 s of pause, and follow a client-go that was killed', async () => {
    await inUpstreamsTimes(ground);
  });
});
