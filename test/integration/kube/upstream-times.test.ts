/**
 * The electors that campaign in upstream's times: they began with the quick ones of `election.test.ts`,
 * and run beside what comes after those. Here somebody waits for them.
 */
import { setUpElection, type ElectionSetup, checkInUpstreamTimes } from './election-checks.ts';

describe("electors on a real API server in upstream's times", function () {
  this.timeout(120_000);
  let setup: ElectionSetup;

  before(async function () {
    setup = await setUpElection(this);
  });

  it('write nothing after 30 s of pause, and follow a client-go that was killed', async () => {
    await checkInUpstreamTimes(setup);
  });
});
