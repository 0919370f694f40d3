import assert from 'node:assert/strict';
import { builtFrom, versionLine } from './index.ts';

describe('the version that a program prints', () => {
  it('names the commit of a built program', () => {
    assert.equal(versionLine('1.2.3', 'abc1234'), 'Tandem 1.2.3 (commit abc1234)\n');
  });

  it('names no commit if the program runs from its sources', () => {
    assert.equal(builtFrom, undefined);
    assert.equal(versionLine('1.2.3'), 'Tandem 1.2.3\n');
  });
});
