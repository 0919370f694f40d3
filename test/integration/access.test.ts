/**
 * Who gets in: RBAC decides over every user and group, tokens of service accounts work, and nobody
 * talks to a server whose certificate they cannot verify.
 */
import assert from 'node:assert/strict';
import { systemClock } from '@tandem/runtime';
import {
  type ControlPlane,
  createAuthority,
  request,
  sharedControlPlane,
} from '../control-plane/index.ts';

const nodes = '/api/v1/nodes';

describe('access to a control plane', function () {
  this.timeout(60_000);
  let controlPlane: ControlPlane;

  before(async function () {
    controlPlane = await sharedControlPlane(this);
  });

  async function create(path: string, body: unknown): Promise<string> {
    const answer = await request(controlPlane.admin, { method: 'POST', path, body });
    assert.equal(answer.status, 201, answer.text);
    return answer.text;
  }

  /** Lets a subject list nodes. */
  async function allow(name: string, subject: Record<string, string>): Promise<void> {
    const rbac = '/apis/rbac.authorization.k8s.io/v1';
    const rules = [{ apiGroups: [''], resources: ['nodes'], verbs: ['list'] }];
    await create(`${rbac}/clusterroles`, { metadata: { name }, rules });
    await create(`${rbac}/clusterrolebindings`, {
      metadata: { name },
      roleRef: { apiGroup: 'rbac.authorization.k8s.io', kind: 'ClusterRole', name },
      subjects: [subject],
    });
  }

  it('is forbidden to a user without rights', async () => {
    const answer = await request(controlPlane.credentialsFor({ user: 'nobody-in-particular' }), {
      path: nodes,
    });
    assert.equal(answer.status, 403);
    assert.match(answer.text, /User \\"nobody-in-particular\\" cannot list resource/);
  });

  it('is given to a user through a group', async () => {
    const apiGroup = 'rbac.authorization.k8s.io';
    await allow('node-readers', { apiGroup, kind: 'Group', name: 'node-readers' });
    const jane = controlPlane.credentialsFor({ user: 'jane', groups: ['node-readers'] });
    assert.equal((await request(jane, { path: nodes })).status, 200);
    const deletion = await request(jane, { method: 'DELETE', path: `${nodes}/node-0` });
    assert.equal(deletion.status, 403);
  });

  it('is given to a service account by a token that the API server issues', async () => {
    const accounts = '/api/v1/namespaces/default/serviceaccounts';
    await create(accounts, { metadata: { name: 'reader' } });
    await allow('reader', { kind: 'ServiceAccount', namespace: 'default', name: 'reader' });
    const issued = JSON.parse(await create(`${accounts}/reader/token`, { spec: {} }));
    const { server, ca } = controlPlane.admin;
    const reader = { server, ca, token: issued.status.token };
    assert.equal((await request(reader, { path: nodes })).status, 200);
    const forged = { server, ca, token: `${reader.token}x` };
    assert.equal((await request(forged, { path: nodes })).status, 401);
  });

  it('is refused by a client that trusts another authority', async () => {
    const ca = createAuthority('another authority', systemClock.now()).cert;
    await assert.rejects(request({ ...controlPlane.admin, ca }, { path: nodes }), {
      code: 'UNABLE_TO_VERIFY_LEAF_SIGNATURE',
    });
  });

  it('is refused to a client certificate of another authority', async () => {
    const other = createAuthority('another authority', systemClock.now());
    const { server, ca } = controlPlane.admin;
    const forged = other.issue({
      commonName: 'admin',
      organizations: ['system:masters'],
      uses: ['clientAuth'],
    });
    assert.equal((await request({ server, ca, ...forged }, { path: nodes })).status, 401);
  });

  it('to the store behind it takes more than being an administrator', async () => {
    const { server, ca } = controlPlane.etcdCredentials;
    const { cert = '', key = '' } = controlPlane.admin;
    await assert.rejects(request({ server, ca, cert, key }, { path: '/version' }), {
      code: /^(ECONNRESET|ERR_SSL_)/,
    });
    const answer = await request(controlPlane.etcdCredentials, { path: '/version' });
    assert.equal(answer.status, 200);
  });
});
