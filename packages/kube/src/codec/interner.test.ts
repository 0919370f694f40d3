import assert from 'node:assert/strict';
import * as fc from 'fast-check';
import { Interner } from './interner.ts';

describe('the table of shared texts', () => {
  it('gives the text of the bytes, whatever it gave before', () => {
    const interner = new Interner();
    const odd = fc.constantFrom('', 'é', '日本', '😀-x', 'node-0', 'x'.repeat(64), 'é'.repeat(32));
    const texts = fc.oneof(fc.string({ maxLength: 70 }), odd);
    fc.assert(
      fc.property(fc.array(texts, { maxLength: 8 }), fc.nat(5), (list, offset) => {
        for (const text of [...list, ...list]) {
          const bytes = Buffer.from(`${' '.repeat(offset)}${text}tail`);
          const end = bytes.length - 'tail'.length;
          const want = Buffer.from(text).toString();
          assert.equal(interner.fromBytes(bytes, offset, end), want);
          assert.equal(interner.fromText(text), text);
        }
      }),
      { numRuns: 40 },
    );
  });

  it('does not take a byte beyond ASCII for the character of that number', () => {
    const interner = new Interner();
    assert.equal(interner.fromText('é'), 'é');
    assert.equal(interner.fromBytes(Buffer.from([0xe9]), 0, 1), '\ufffd');
  });
});
