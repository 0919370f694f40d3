import assert from 'node:assert/strict';
import { seededRandom } from './testing/seeded-random.ts';
import { seededIds, systemIds } from './ids.ts';
import { type Random, systemRandom } from './random.ts';

const draws = (random: Random, count: number): number[] =>
  Array.from({ length: count }, () => random.next());

describe('seededRandom', () => {
  it('draws the same numbers for the same seed, now and in every later version', () => {
    const first = draws(seededRandom('seed 1'), 3).map((draw) => draw.toFixed(6));
    // These come from a second implementation, in another language.
    assert.deepEqual(first, ['0.031381', '0.947218', '0.732585']);
    assert.notDeepEqual(draws(seededRandom('seed 2'), 3), draws(seededRandom('seed 1'), 3));
  });

  it('forks a named stream that draws from other streams do not shift', () => {
    const quiet = seededRandom('seed').fork('watch');
    const busy = seededRandom('seed');
    draws(busy, 100);
    draws(busy.fork('queue'), 100);
    assert.deepEqual(draws(busy.fork('watch'), 5), draws(quiet, 5));
  });
});

for (const [name, random] of [
  ['systemRandom', systemRandom],
  ['seededRandom', seededRandom('spread')],
] as const) {
  describe(name, () => {
    it('stays within [0, 1) and spreads evenly over it', () => {
      const tenths = Array.from({ length: 10 }, () => 0);
      for (const draw of draws(random, 10_000)) {
        assert.ok(draw >= 0 && draw < 1);
        tenths[Math.floor(draw * 10)]! += 1;
      }
      // 1,000 expected in each, standard deviation 30: 200 off is 7 sigma.
      for (const count of tenths) assert.ok(Math.abs(count - 1000) < 200, tenths.join(' '));
    });
  });
}

describe('ids', () => {
  const uuidVersion4 = /^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/;

  it('are version-4 UUIDs, no two alike', () => {
    const seeded = seededIds(seededRandom('ids'));
    for (const ids of [systemIds, seeded]) {
      const drawn = Array.from({ length: 1000 }, () => ids.uuid());
      for (const id of drawn) assert.match(id, uuidVersion4);
      assert.equal(new Set(drawn).size, drawn.length);
    }
  });

  it('repeat for the same seed', () => {
    const [first, second] = [1, 2].map(() => seededIds(seededRandom('replay')));
    assert.deepEqual([first!.uuid(), first!.uuid()], [second!.uuid(), second!.uuid()]);
  });
});
