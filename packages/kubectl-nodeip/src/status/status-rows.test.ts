import assert from 'node:assert/strict';
import { uninitializedTaint } from '@tandem/core/node-init';
import { type NodeStateName, nodeStateNames, type NodeView } from '@tandem/core/view';
import { aNode } from '../a-node.fixture.ts';
import { statusRows } from './status-rows.ts';

const taints = [{ key: uninitializedTaint, value: 'true', effect: 'NoSchedule' }];

describe('the row of a node', () => {
  it('has null if the node has no providerID', () => {
    const nodes = [aNode({ providerID: '' }), aNode({ providerID: 'cloud://2' })];
    const rows = statusRows(nodes, { views: undefined, warnings: [] });
    assert.deepEqual(
      rows.map(({ providerID }) => providerID),
      [null, 'cloud://2'],
    );
  });

  it('has no node IP while the node has the taint, whatever its kubelet reports', () => {
    const addresses = [{ type: 'InternalIP', address: '10.0.0.1' }];
    const nodes = [aNode({ addresses, taints }), aNode({ addresses })];
    const rows = statusRows(nodes, { views: undefined, warnings: [] });
    assert.deepEqual(
      rows.map(({ got, stack }) => ({ got, stack })),
      [
        { got: [], stack: null },
        { got: ['10.0.0.1'], stack: 'SS IPv4' },
      ],
    );
  });
});

describe('the state of a node', () => {
  for (const state of nodeStateNames) {
    it(`is ${state} if the manager says so, whatever the taints are`, () => {
      for (const given of [[], taints]) {
        const node = aNode({ taints: given });
        const views = new Map([[node.uid, viewOf(state)]]);
        const [row] = statusRows([node], { views, warnings: [] });
        assert.equal(row?.state, state);
      }
    });
  }
});

function viewOf(state: NodeStateName): NodeView {
  return { state, request: null, cloud: null, standing: null } as unknown as NodeView;
}
