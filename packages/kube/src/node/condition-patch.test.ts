import assert from 'node:assert/strict';
import { conditionPatch } from './condition-patch.ts';

const condition = {
  type: 'NetworkUnavailable',
  status: 'True',
  reason: 'NoRouteCreated',
  message: 'Node created without a route',
} as const;

const patch = conditionPatch({
  name: 'node-0',
  uid: 'uid-0',
  resourceVersion: '41',
  condition,
  atMs: Date.UTC(2026, 2, 1, 12, 0, 0, 999),
});

describe('the patch of a condition', () => {
  it('carries the UID and resourceVersion of the node, and the condition with times in whole seconds', () => {
    assert.equal(patch.resource.subresource, 'status');
    const time = '2026-03-01T12:00:00Z';
    const timed = { ...condition, lastHeartbeatTime: time, lastTransitionTime: time };
    assert.deepEqual(JSON.parse(patch.body), {
      metadata: { uid: 'uid-0', resourceVersion: '41' },
      status: { conditions: [timed] },
    });
  });

  it('counts as written if the same node has that condition among others', () => {
    const live = (uid: string, conditions?: unknown): object => ({
      metadata: { uid },
      status: { conditions },
    });
    const ready = { type: 'Ready', status: 'True' };
    assert.ok(patch.isWritten(live('uid-0', [ready, { ...condition, lastHeartbeatTime: 'x' }])));
    assert.ok(!patch.isWritten(live('uid-1', [ready, condition])));
    assert.ok(!patch.isWritten(live('uid-0', [{ ...condition, status: 'False' }])));
    for (const odd of [live('uid-0'), live('uid-0', [null]), undefined, 'text']) {
      assert.ok(!patch.isWritten(odd));
    }
  });
});
