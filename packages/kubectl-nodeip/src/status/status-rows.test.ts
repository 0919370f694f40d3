import assert from 'node:assert/strict';
import { pausedAnnotation, uninitializedTaint } from '@tandem/core/node-init';
import { nodeStateNames } from '@tandem/core/view';
import { aNode } from '../a-node.fixture.ts';
import { answerFor } from '../explain/explain-node.ts';
import { stateOf, statusRows } from './status-rows.ts';

const taints = [{ key: uninitializedTaint, value: 'true', effect: 'NoSchedule' }];

describe('the row of a node', () => {
  it('has null where the node has no providerID, as for all that is missing', () => {
    const nodes = [aNode({ providerID: '' }), aNode({ providerID: 'cloud://2' })];
    const rows = statusRows(nodes, undefined);
    assert.deepEqual(
      rows.map(({ providerID }) => providerID),
      [null, 'cloud://2'],
    );
  });
});

describe('the state of a node', () => {
  const note = { via: 'a test', reached: false, problem: 'it was not asked' };
  const cases = [
    { name: 'initialised without the taint', taints: [], annotations: {}, want: 'initialised' },
    { name: 'waiting with the taint', taints, annotations: {}, want: 'waiting' },
    {
      name: 'paused by its annotation',
      taints,
      annotations: { [pausedAnnotation]: 'true' },
      want: 'paused',
    },
  ];
  for (const { name, want, ...over } of cases) {
    it(`is ${name} where the manager does not tell, in explain and status alike`, () => {
      const node = { ...aNode(), labels: {}, ...over };
      const unreached = { kind: 'unreached', problem: note.problem } as const;
      assert.equal(stateOf(node, undefined), want);
      assert.equal(answerFor(node, unreached, note).state, want);
    });
  }

  for (const state of nodeStateNames) {
    it(`is ${state} where the manager says so, whatever the taints are`, () => {
      for (const given of [[], taints]) {
        assert.equal(stateOf({ annotations: {}, taints: given }, { state }), state);
      }
    });
  }
});
