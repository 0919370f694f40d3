import assert from 'node:assert/strict';
import { aNode, aReadyNode } from './node-init.fixture.ts';
import { type RefusedWrite, writeRefused } from './refused-write.ts';

const labels = { rack: 'no good!', zone: 'a' };
const writing: RefusedWrite['action'] = { kind: 'writeLabels', labels, reason: '' };

describe('a write that was refused', () => {
  const cases: { name: string; given: RefusedWrite; want: string }[] = [
    {
      name: 'names the label whose value the server quotes',
      given: {
        action: writing,
        message: 'Node is invalid',
        causes: [
          { field: 'metadata.labels', message: 'Invalid value: "no good!": a valid label …' },
        ],
      },
      want: 'the API server refuses to store the label rack=no good! ("Node is invalid"): correct it where the cloud has it from; it is tried again, and the node keeps its addresses',
    },
    {
      name: 'names no label where something else is at fault',
      given: {
        action: writing,
        message: 'Node is invalid',
        causes: [{ field: 'spec', message: '"no good!"' }],
      },
      want: 'the API server refuses to store the node\'s labels ("Node is invalid"): remove what is in its way; it is tried again, and the node keeps its addresses',
    },
    {
      name: 'says that it was about addresses',
      given: {
        action: { kind: 'writeAddresses', addresses: [], reason: '' },
        message: 'denied',
        causes: [],
      },
      want: 'the API server refuses to store the node\'s addresses ("denied"): remove what is in its way; it is tried again, and the node keeps its addresses',
    },
  ];
  for (const { name, given, want } of cases) {
    it(name, () => {
      assert.deepEqual(writeRefused(aReadyNode(), given), { code: 'WriteRefused', message: want });
    });
  }

  it('is one printable line that fits into an event, whatever came in', () => {
    const evil = '\u001b[31m"\n\u202e'.repeat(1000);
    const given: RefusedWrite = {
      action: { ...writing, labels: { [evil]: evil } },
      message: evil,
      causes: [{ field: 'metadata.labels', message: JSON.stringify(evil) }],
    };
    assert.match(writeRefused(aNode(), given).message, /^[ -~…]{20,1000}$/);
  });
});
