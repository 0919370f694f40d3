import assert from 'node:assert/strict';
import { SelfCheckWorld } from './self-check.fixture.ts';

const message = 'Clock differs from the API server';

const cases: {
  name: string;
  aheadMs: number;
  latencyMs: number;
  want: number | undefined;
}[] = [
  { name: 'clocks that agree', aheadMs: 0, latencyMs: 10, want: undefined },
  { name: 'a difference of four seconds', aheadMs: 4_000, latencyMs: 10, want: undefined },
  { name: 'a server that is seven seconds ahead', aheadMs: 7_000, latencyMs: 10, want: -7 },
  { name: 'a server that is an hour behind', aheadMs: -3_600_000, latencyMs: 10, want: 3_600 },
  // The answer took so long that the server may have stamped it at any time.
  {
    name: 'a difference of seven seconds in a slow answer',
    aheadMs: 7_000,
    latencyMs: 6_000,
    want: undefined,
  },
  { name: 'clocks that agree in a slow answer', aheadMs: 0, latencyMs: 9_000, want: undefined },
];

describe('the check of the clock', () => {
  for (const { name, aheadMs, latencyMs, want } of cases) {
    it(`${want === undefined ? 'does not warn about' : 'warns about'} ${name}`, async () => {
      const world = new SelfCheckWorld();
      Object.assign(world, { serverAheadMs: aheadMs, latencyMs });
      await world.check([], 200_000);
      const [line] = world.lines(message);
      if (want === undefined) assert.equal(line, undefined);
      else {
        assert.equal(line?.level, 'warn');
        assert.ok(Math.abs(Number(line['skewSeconds']) - want) <= 0.5, JSON.stringify(line));
        assert.match(String(line['fix']), /Synchronise the clocks/);
      }
      const [sample = ''] = await world.metric('tandem_api_server_clock_skew_seconds ');
      assert.ok(Math.abs(Number(sample.split(' ')[1]) + aheadMs / 1_000) <= 0.5, sample);
    });
  }

  it('exports no skew until it is known', async () => {
    const world = new SelfCheckWorld();
    world.latencyMs = 9_000;
    await world.check([], 1_000);
    assert.deepEqual(await world.metric('tandem_api_server_clock_skew_seconds '), []);
    world.stop.abort();
  });

  it('uses the fastest answer', async () => {
    const world = new SelfCheckWorld();
    world.serverAheadMs = 7_000;
    world.latencyMs = 9_000;
    world.review = () => {
      if (world.asked.length === 5) world.latencyMs = 10;
      return { allowed: true };
    };
    await world.check([], 200_000);
    assert.equal(world.lines(message).length, 1);
  });
});
