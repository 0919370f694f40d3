import assert from 'node:assert/strict';
import { Claims } from './claims.ts';

describe('claims', () => {
  const claim = (uid: string, providerID: string) => ({ uid, name: `node-${uid}`, providerID });

  it('are found by instance until they are taken back, and leave nothing behind (M6)', () => {
    const claims = new Claims();
    claims.set(claim('a', 'one'));
    claims.set(claim('b', 'one'));
    assert.deepEqual(claims.claimants('one'), [claim('a', 'one'), claim('b', 'one')]);
    assert.equal(claims.set(claim('b', 'one')), undefined);
    assert.deepEqual(claims.set(claim('b', 'two')), claim('b', 'one'));
    assert.deepEqual(claims.claimants('one'), [claim('a', 'one')]);
    claims.drop('a');
    claims.drop('b');
    assert.deepEqual([claims.claimants('one'), claims.claimants('two'), claims.size], [[], [], 0]);
  });
});
