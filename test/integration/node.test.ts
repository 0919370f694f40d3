/**
 * A node's way through a real API server: created with the uninitialized taint, given its addresses,
 * watched, and still there after a restart of the API server.
 */
import assert from 'node:assert/strict';
import {
  type ApiResponse,
  type ControlPlane,
  disturbedControlPlane,
  request,
  watch,
} from '../control-plane/index.ts';

interface Node {
  readonly metadata: {
    readonly name: string;
    readonly uid: string;
    readonly resourceVersion: string;
  };
  readonly spec: { readonly taints?: readonly { readonly key: string }[] };
  readonly status: {
    readonly addresses?: readonly { readonly type: string; readonly address: string }[];
  };
}

const uninitialized = 'node.cloudprovider.kubernetes.io/uninitialized';

const addresses = [
  { type: 'InternalIP', address: '10.0.0.1' },
  { type: 'InternalIP', address: 'fd00::1' },
];

describe('a node in a real API server', function () {
  this.timeout(60_000);
  let controlPlane: ControlPlane;

  before(async function () {
    controlPlane = await disturbedControlPlane(this);
  });

  async function createNode(name: string): Promise<Node> {
    const taints = [{ key: uninitialized, value: 'true', effect: 'NoSchedule' }];
    const answer = await request(controlPlane.admin, {
      method: 'POST',
      path: '/api/v1/nodes',
      body: { metadata: { name }, spec: { taints } },
    });
    assert.equal(answer.status, 201, answer.text);
    return JSON.parse(answer.text);
  }

  /** Replaces the addresses whole, guarded by the node's UID. */
  function patchAddresses(name: string, uid: string): Promise<ApiResponse> {
    return request(controlPlane.admin, {
      method: 'PATCH',
      path: `/api/v1/nodes/${name}/status`,
      contentType: 'application/json-patch+json',
      body: [
        { op: 'test', path: '/metadata/uid', value: uid },
        { op: 'add', path: '/status/addresses', value: addresses },
      ],
    });
  }

  async function getNode(name: string): Promise<Node> {
    const answer = await request(controlPlane.admin, { path: `/api/v1/nodes/${name}` });
    assert.equal(answer.status, 200, answer.text);
    return JSON.parse(answer.text);
  }

  it('keeps its taint and both InternalIPs over a restart of the API server', async () => {
    const created = await createNode('node-0');
    assert.ok(created.spec.taints?.some((taint) => taint.key === uninitialized));

    const patched = await patchAddresses('node-0', created.metadata.uid);
    assert.equal(patched.status, 200, patched.text);
    const before = await getNode('node-0');
    assert.deepEqual(before.status.addresses, addresses);

    await controlPlane.apiServer.restart();
    assert.deepEqual(await getNode('node-0'), before);
  });

  it('is seen by a watch when it gets its addresses, and by a new watch after a restart', async () => {
    const { metadata } = await createNode('node-1');
    const first = await nextChange(metadata.resourceVersion, () =>
      patchAddresses('node-1', metadata.uid),
    );
    assert.equal(first.type, 'MODIFIED');
    assert.deepEqual(first.node.status.addresses, addresses);

    await controlPlane.apiServer.restart();
    assert.deepEqual(await getNode('node-1'), first.node);
    const second = await nextChange(await listVersion(), () =>
      request(controlPlane.admin, { method: 'DELETE', path: '/api/v1/nodes/node-1' }),
    );
    assert.equal(second.type, 'DELETED');
    assert.equal(second.node.metadata.uid, metadata.uid);
  });

  /** A version that a watch can begin at: a restarted API server may have forgotten older ones. */
  async function listVersion(): Promise<string> {
    const answer = await request(controlPlane.admin, { path: '/api/v1/nodes' });
    assert.equal(answer.status, 200, answer.text);
    return JSON.parse(answer.text).metadata.resourceVersion;
  }

  /** Watches nodes from a version, does something, and gives the event that comes of it. */
  async function nextChange(
    version: string,
    act: () => Promise<ApiResponse>,
  ): Promise<{ type: string; node: Node }> {
    const path = `/api/v1/nodes?watch=1&resourceVersion=${version}`;
    const events = watch(controlPlane.admin, path);
    const [next, answer] = await Promise.all([events.next(), act()]);
    assert.equal(answer.status, 200, answer.text);
    await events.return(undefined);
    assert.ok(next.done !== true);
    return { type: next.value.type, node: next.value.object as Node };
  }

  it('refuses addresses that were meant for a namesake', async () => {
    await createNode('node-2');
    const answer = await patchAddresses('node-2', 'the-uid-of-its-predecessor');
    assert.equal(answer.status, 422, answer.text);
    assert.equal((await getNode('node-2')).status.addresses, undefined);
  });
});
