import assert from 'node:assert/strict';
import { readKepRows } from '../../../../../test/support/vectors.ts';
import { dualStackRows, singleStackRows } from './kep-rows.ts';

describe('the rows that a run is compared with', () => {
  it('are the rows of the KEP, in its order', () => {
    const wanted = readKepRows().map(({ nodeIP, cloud, addresses, stack, error }) => ({
      nodeIP,
      cloud: cloud.map(({ address }) => address),
      outcome:
        addresses === null
          ? {
              kind: 'refused',
              code: error?.startsWith('no ') ? 'NoAddressOfFamily' : 'AddressNotFound',
            }
          : { kind: 'addresses', addresses, stack },
    }));
    assert.deepEqual([...dualStackRows, ...singleStackRows], wanted);
    assert.equal(wanted.length, 24);
  });
});
