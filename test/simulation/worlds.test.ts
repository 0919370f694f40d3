import assert from 'node:assert/strict';
import { readWorlds, worldsDefault } from './worlds.ts';

describe('TANDEM_WORLDS', () => {
  const cases = [
    { asked: undefined, want: worldsDefault },
    { asked: '', want: worldsDefault },
    { asked: '2', want: 2 },
    { asked: '1000000', want: 1_000_000 },
  ];
  for (const { asked, want } of cases) {
    it(`means ${want} worlds when it is ${JSON.stringify(asked) ?? 'not set'}`, () => {
      assert.equal(readWorlds(asked), want);
    });
  }

  for (const asked of ['1', '0', '-5', '2.5', 'many', 'NaN']) {
    it(`is refused with a word about it when it is ${asked}`, () => {
      assert.throws(() => readWorlds(asked), /TANDEM_WORLDS must be a whole number from 2 on/);
    });
  }
});
