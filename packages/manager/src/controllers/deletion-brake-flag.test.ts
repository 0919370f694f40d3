import assert from 'node:assert/strict';
import { brake } from './cloud-node-lifecycle.ts';

/** `want` is a value, or a pattern for the message of the refusal. */
const cases: readonly { readonly text: string; readonly want: unknown }[] = [
  { text: '20%', want: /is not a deletion brake: write NODES,PERCENT%/ },
  { text: '5,101%', want: /share of more than 100%/ },
  { text: '5,20%,10', want: /a window that has no unit/ },
  { text: '5,20%,0s', want: /shorter than 1s/ },
  { text: 'off', want: undefined },
  { text: '0,0%', want: { nodes: 0, share: 0, windowMs: 600_000 } },
  { text: '3,12.5%,1h', want: { nodes: 3, share: 0.125, windowMs: 3_600_000 } },
];

describe('--node-deletion-brake', () => {
  for (const { text, want } of cases) {
    it(`${want instanceof RegExp ? 'refuses' : 'accepts'} ${text}`, () => {
      const read = brake.read([text]);
      if (want instanceof RegExp) {
        assert.ok(read.kind === 'invalid', 'it was accepted');
        assert.match(read.reason, want);
      } else {
        assert.deepEqual(read, { kind: 'value', value: want });
      }
    });
  }
});
