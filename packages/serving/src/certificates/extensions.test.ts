import assert from 'node:assert/strict';
import * as fc from 'fast-check';
import { readElements } from './der-reader.ts';
import { chainFactsOf } from './extensions.ts';
import { anAuthority, issue } from './issue.fixture.ts';

describe('the facts of a certificate about its chain', () => {
  it('are its path length and whether it has an unknown critical extension', () => {
    assert.deepEqual(chainFactsOf(anAuthority({ pathLengthMax: 2 }).x509), {
      pathLengthMax: 2,
      hasUnknownCritical: false,
    });
    assert.deepEqual(chainFactsOf(issue({ hasOddExtension: true }).x509), {
      pathLengthMax: Number.POSITIVE_INFINITY,
      hasUnknownCritical: true,
    });
  });

  it('are undefined for a truncated certificate, and never invalid for a damaged one', () => {
    const { raw } = anAuthority({ pathLengthMax: 1 }).x509;
    for (let length = 0; length < raw.length; length++) {
      assert.equal(chainFactsOf({ raw: raw.subarray(0, length) }), undefined);
    }
    const change = fc.record({ at: fc.nat(raw.length - 1), byte: fc.nat(255) });
    fc.assert(
      fc.property(change, ({ at, byte }) => {
        const bytes = Buffer.from(raw);
        bytes[at] = byte;
        const facts = chainFactsOf({ raw: bytes });
        assert.ok(facts === undefined || facts.pathLengthMax >= 0);
      }),
      { numRuns: 300 },
    );
  });

  it('are read without reading past the end', () => {
    for (const bytes of [
      [0x30],
      [0x30, 0x05, 0],
      [0x30, 0x80, 0, 0],
      [0x30, 0x84, 0, 0, 0, 1, 0],
    ]) {
      assert.throws(() => readElements(Uint8Array.from(bytes)), RangeError);
    }
    const long = Buffer.concat([Buffer.of(0x04, 0x82, 0x01, 0x00), Buffer.alloc(256)]);
    assert.equal(readElements(long)[0]?.content.length, 256);
  });
});
