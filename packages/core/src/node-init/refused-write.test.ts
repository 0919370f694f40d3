import assert from 'node:assert/strict';
import * as fc from 'fast-check';
import { writeLabels } from './action.ts';
import { aNode, aReadyNode } from './node-init.fixture.ts';
import { type RefusedWrite, writeRefused } from './refused-write.ts';

const labels = { rack: 'no good!', zone: 'a' };
const writing = writeLabels(labels);

describe('the message about a refused write', () => {
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
      want: 'The API server refuses to store the label rack=no good! ("Node is invalid"). Correct the label in the cloud. The manager retries the write. The node keeps its addresses.',
    },
    {
      name: 'names no label if another field is at fault',
      given: {
        action: writing,
        message: 'Node is invalid',
        causes: [{ field: 'spec', message: '"no good!"' }],
      },
      want: 'The API server refuses to store the node\'s labels ("Node is invalid"). Resolve the cause. The manager retries the write. The node keeps its addresses.',
    },
    {
      name: 'says that the write was about addresses',
      given: {
        action: { kind: 'writeAddresses', addresses: [], reason: () => '' },
        message: 'denied',
        causes: [],
      },
      want: 'The API server refuses to store the node\'s addresses ("denied"). Resolve the cause. The manager retries the write. The node keeps its addresses.',
    },
  ];
  for (const { name, given, want } of cases) {
    it(name, () => {
      assert.deepEqual(writeRefused(aReadyNode(), given), { code: 'WriteRefused', message: want });
    });
  }

  describe('with several causes', () => {
    const valueFault = (field: string, value: string) => ({
      field,
      message: `Invalid value: ${JSON.stringify(value)}: a valid label must be short`,
    });
    const causes = [
      valueFault('metadata.labels', 'bad!'),
      valueFault('metadata.labels', 'also bad!'),
      valueFault('spec.providerID', 'x'),
    ];
    const action = writeLabels({ zone: 'bad!', rack: 'also bad!' });
    const refusedWith = (order: RefusedWrite['causes']): string => {
      const listed = order.map(({ field, message }) => `${field}: ${message}`);
      const message = `Node "node-0" is invalid: [${listed.join(', ')}]`;
      return writeRefused(aReadyNode(), { action, message, causes: order }).message;
    };

    it('is the same for any order in which the server lists them', () => {
      const said = refusedWith(causes);
      assert.ok(
        said.startsWith(
          'The API server refuses to store the labels rack=also bad! and zone=bad! ("Node \\"node-0\\" is invalid: metadata.labels: Invalid value: \\"also bad!\\"',
        ),
        said,
      );
      const order = fc.shuffledSubarray(causes, { minLength: causes.length });
      fc.assert(fc.property(order, (other) => assert.equal(refusedWith(other), said)));
      const keys = writeLabels({ rack: 'also bad!', zone: 'bad!' });
      const other = writeRefused(aReadyNode(), { action: keys, message: '', causes }).message;
      assert.match(other, /the labels rack=also bad! and zone=bad! /);
    });

    it('changes when one of them is corrected', () => {
      assert.notEqual(refusedWith(causes.slice(1)), refusedWith(causes));
    });
  });

  it('keeps the message of a webhook that gives its own causes', () => {
    const message = 'admission webhook "guard" denied the request: not on Fridays';
    const causes = [{ field: '', message: 'Friday' }];
    const said = writeRefused(aReadyNode(), { action: writing, message, causes }).message;
    assert.match(said, /denied the request: not on Fridays/);
  });

  it('is one printable line that fits into an event, for any input', () => {
    const evil = '\u001b[31m"\n\u202e'.repeat(1000);
    const given: RefusedWrite = {
      action: writeLabels({ [evil]: evil }),
      message: evil,
      causes: [{ field: 'metadata.labels', message: JSON.stringify(evil) }],
    };
    assert.match(writeRefused(aNode(), given).message, /^[ -~…]{20,1000}$/);
  });
});
