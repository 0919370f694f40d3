import assert from 'node:assert/strict';
import { seededIds } from '@tandem/runtime';
import { seededRandom } from '@tandem/runtime/testing';
import { aCluster, ask } from '../model/asking.fixture.ts';
import { keepReadyTaints } from './ready-taints.ts';
import { SimulatedKubelet } from './simulated-kubelet.ts';

const notReady = 'node.kubernetes.io/not-ready';
const uninitialized = 'node.cloudprovider.kubernetes.io/uninitialized';

function setUp() {
  const embedded = aCluster();
  const abort = new AbortController();
  const kubelet = new SimulatedKubelet(
    { ...embedded, ids: seededIds(seededRandom('k')) },
    { name: 'n' },
  );
  const taints = async (): Promise<string[]> => {
    await embedded.clock.advance(0);
    const { body } = await ask(embedded, 'GET', '/api/v1/nodes/n');
    return (body.spec.taints ?? []).map(({ key }: { key: string }) => key);
  };
  const keep = (): void =>
    keepReadyTaints({ store: embedded.cluster.store, transport: embedded.transport }, abort.signal);
  return { embedded, kubelet, taints, keep, abort };
}

describe('the taint of nodes that are not Ready', () => {
  it('is removed from a Ready node, comes back later, and leaves other taints alone', async () => {
    const { kubelet, taints, keep } = setUp();
    keep();
    await kubelet.register();
    assert.deepEqual(await taints(), [uninitialized]);
    await kubelet.setReady('notReady');
    assert.deepEqual(await taints(), [uninitialized, notReady]);
    await kubelet.setReady('ready');
    assert.deepEqual(await taints(), [uninitialized]);
  });

  it('is removed from existing nodes too, and left alone after the end', async () => {
    const { kubelet, taints, keep, abort } = setUp();
    await kubelet.register();
    assert.ok((await taints()).includes(notReady));
    keep();
    assert.ok(!(await taints()).includes(notReady));
    abort.abort();
    await kubelet.setReady('notReady');
    assert.ok(!(await taints()).includes(notReady));
  });

  it('has a counterpart for NetworkUnavailable, which follows that condition', async () => {
    const { embedded, kubelet, taints, keep } = setUp();
    keep();
    await kubelet.register();
    const say = (status: string): Promise<unknown> => {
      const condition = { type: 'NetworkUnavailable', status, reason: 'Test' };
      const body = { status: { conditions: [condition] } };
      const contentType = 'application/strategic-merge-patch+json';
      return ask(embedded, 'PATCH', '/api/v1/nodes/n/status', body, contentType);
    };
    await say('True');
    assert.deepEqual(await taints(), [uninitialized, 'node.kubernetes.io/network-unavailable']);
    await say('False');
    assert.deepEqual(await taints(), [uninitialized]);
  });

  it('stays on a node that has reported no conditions', async () => {
    const { embedded, taints, keep } = setUp();
    keep();
    await ask(embedded, 'POST', '/api/v1/nodes', { metadata: { name: 'n' } });
    assert.deepEqual(await taints(), [notReady]);
  });
});
