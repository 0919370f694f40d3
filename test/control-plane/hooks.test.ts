/**
 * The hooks by which tests disturb and measure a control plane, each seen from a client.
 */
import assert from 'node:assert/strict';
import { DeadlineExceededError } from '@tandem/runtime';
import type { AuditEntry } from './audit-log.ts';
import type { ControlPlane } from './control-plane.ts';
import { eventually } from './eventually.ts';
import { disturbedControlPlane, forgetfulControlPlane } from './mocha.ts';
import { type ApiResponse, request } from './request.ts';
import { watch } from './watch.ts';

const configMaps = '/api/v1/namespaces/default/configmaps';

interface Listed {
  readonly metadata: { readonly resourceVersion: string; readonly continue?: string };
  readonly items: readonly { readonly metadata: { readonly name: string } }[];
}

function get(controlPlane: ControlPlane, path: string): Promise<ApiResponse> {
  return request(controlPlane.admin, { path });
}

async function create(controlPlane: ControlPlane, name: string): Promise<number> {
  const body = { metadata: { name } };
  const answer = await request(controlPlane.admin, { method: 'POST', path: configMaps, body });
  assert.equal(answer.status, 201, answer.text);
  return Number(JSON.parse(answer.text).metadata.resourceVersion);
}

async function list(controlPlane: ControlPlane): Promise<Listed> {
  const answer = await get(controlPlane, configMaps);
  assert.equal(answer.status, 200, answer.text);
  return JSON.parse(answer.text);
}

async function names(controlPlane: ControlPlane): Promise<string[]> {
  return (await list(controlPlane)).items.map((item) => item.metadata.name);
}

describe('an API server with its watch cache', function () {
  this.timeout(60_000);
  let controlPlane: ControlPlane;

  before(async function () {
    controlPlane = await disturbedControlPlane(this);
  });

  it('answers nothing while it is paused, and the pending requests once it is resumed', async () => {
    await controlPlane.apiServer.pause();
    await assert.rejects(
      request(controlPlane.admin, { path: '/readyz', deadlineMs: 300 }),
      DeadlineExceededError,
    );
    const asked = get(controlPlane, '/readyz');
    controlPlane.apiServer.resume();
    assert.equal((await asked).status, 200);
  });

  it('refuses connections once killed, and has its objects when started again on the same port', async () => {
    await create(controlPlane, 'before-the-kill');
    const firstPid = controlPlane.apiServer.pid;
    await controlPlane.apiServer.kill();
    assert.equal(controlPlane.apiServer.isRunning, false);
    await assert.rejects(get(controlPlane, '/readyz'), { code: 'ECONNREFUSED' });
    await controlPlane.apiServer.start();
    assert.notEqual(controlPlane.apiServer.pid, firstPid);
    assert.ok((await names(controlPlane)).includes('before-the-kill'));
  });

  it('uses CPU time that can be read and only grows', async () => {
    const before = await controlPlane.cpuSeconds();
    assert.ok(before > 0);
    await eventually(async () => {
      await list(controlPlane);
      return (await controlPlane.cpuSeconds()) > before;
    });
  });

  it('gives objects the revision that etcd reached by writing them', async () => {
    const before = await controlPlane.etcdRevision();
    const version = await create(controlPlane, 'by-revision');
    const after = await controlPlane.etcdRevision();
    assert.ok(before < version && version <= after, `${before}, ${version}, ${after}`);
  });

  it('still lists objects that a wiped etcd has lost, and gives new ones lower versions', async () => {
    const version = await create(controlPlane, 'before-the-wipe');
    await controlPlane.wipeEtcd({ apiServer: 'kept' });
    assert.ok((await names(controlPlane)).includes('before-the-wipe'));
    const next = await eventually(() => create(controlPlane, 'after-the-wipe'));
    assert.ok(next < version, `${next} is not below ${version}`);
  });

  it('starts a new cluster when etcd is wiped and it is restarted', async () => {
    await create(controlPlane, 'before-the-second-wipe');
    await controlPlane.wipeEtcd({ apiServer: 'restarted' });
    assert.deepEqual(await names(controlPlane), []);
    await create(controlPlane, 'in-the-new-cluster');
  });
});

describe('an API server without watch cache, with short-lived events and an audit log', function () {
  this.timeout(60_000);
  let controlPlane: ControlPlane;

  before(async function () {
    controlPlane = await forgetfulControlPlane(this);
  });

  it('answers 410 to a page and to a watch from before a compaction', async () => {
    const version = await create(controlPlane, 'a');
    await create(controlPlane, 'b');
    const page: Listed = JSON.parse((await get(controlPlane, `${configMaps}?limit=1`)).text);
    await create(controlPlane, 'c');
    await controlPlane.compactEtcd();

    const token = encodeURIComponent(page.metadata.continue ?? '');
    const nextPage = await get(controlPlane, `${configMaps}?limit=1&continue=${token}`);
    assert.equal(nextPage.status, 410, nextPage.text);

    const path = `${configMaps}?watch=1&resourceVersion=${version}`;
    for await (const event of watch(controlPlane.admin, path)) {
      assert.equal(event.type, 'ERROR');
      assert.equal((event.object as { code: number }).code, 410);
      break;
    }
  });

  it('can be compacted twice in a row', async () => {
    const first = await controlPlane.compactEtcd();
    assert.ok((await controlPlane.compactEtcd()) > first);
  });

  it('forgets an event after its time to live', async () => {
    const path = '/api/v1/namespaces/default/events';
    const body = {
      metadata: { name: 'short-lived' },
      involvedObject: { kind: 'Node', name: 'node-0', namespace: 'default' },
    };
    const { status } = await request(controlPlane.admin, { method: 'POST', path, body });
    assert.equal(status, 201);
    assert.equal((await get(controlPlane, `${path}/short-lived`)).status, 200);
    await eventually(async () => (await get(controlPlane, `${path}/short-lived`)).status === 404);
  });

  it('records in its audit log who requested what, and the outcome', async () => {
    const jane = controlPlane.credentialsFor({ user: 'jane', groups: ['testers'] });
    assert.equal((await request(jane, { path: '/api/v1/nodes/audited' })).status, 403);
    const entry = await eventually(() => findEntry('/api/v1/nodes/audited'));
    assert.equal(entry.verb, 'get');
    assert.equal(entry.user.username, 'jane');
    assert.deepEqual(entry.user.groups, ['testers', 'system:authenticated']);
    assert.deepEqual(entry.objectRef?.resource, 'nodes');
    assert.equal(entry.responseStatus?.code, 403);
  });

  it('records unauthenticated requests there without a user name', async () => {
    const { server, ca } = controlPlane.admin;
    const path = '/api/v1/nodes/asked-by-nobody';
    assert.equal((await request({ server, ca, token: 'forged' }, { path })).status, 401);
    const { user, responseStatus } = await eventually(() => findEntry(path));
    assert.deepEqual([user.username, responseStatus?.code], ['', 401]);
  });

  async function findEntry(requestURI: string): Promise<AuditEntry | undefined> {
    return (await controlPlane.audited()).find((entry) => entry.requestURI === requestURI);
  }

  it('counts the requests it has answered by verb, resource and subresource', async () => {
    const before = await controlPlane.requestCounts();
    const body = { metadata: { name: 'counted' } };
    const node = { method: 'POST', path: '/api/v1/nodes', body } as const;
    await request(controlPlane.admin, node);
    for (const annotation of ['one', 'two']) {
      await request(controlPlane.admin, {
        method: 'PATCH',
        path: '/api/v1/nodes/counted/status',
        contentType: 'application/merge-patch+json',
        body: { metadata: { annotations: { annotation } } },
      });
    }
    const path = '/apis/coordination.k8s.io/v1/namespaces/default/leases';
    await request(controlPlane.admin, { path });
    const after = await controlPlane.requestCounts();
    const added = (key: string): number => (after.get(key) ?? 0) - (before.get(key) ?? 0);
    assert.equal(added('POST nodes'), 1);
    assert.equal(added('PATCH nodes/status'), 2);
    assert.equal(added('PATCH nodes'), 0);
    assert.ok(added('LIST leases.coordination.k8s.io') >= 1);
  });

  it('counts a watch only when it has ended', async () => {
    const watches = async (): Promise<number> =>
      (await controlPlane.requestCounts()).get('WATCH configmaps') ?? 0;
    const before = await watches();
    let seen = 0;
    for await (const event of watch(controlPlane.admin, `${configMaps}?watch=1`)) {
      assert.equal(event.type, 'ADDED');
      seen = await watches();
      break;
    }
    assert.equal(seen, before);
    await eventually(async () => (await watches()) === before + 1);
  });
});
