import assert from 'node:assert/strict';
import { TransportError } from '@tandem/kube/transport';
import { anonymous } from '../access/index.ts';
import { aCluster, ask } from './asking.fixture.ts';

const nodes = '/api/v1/nodes';
const events = '/apis/events.k8s.io/v1/namespaces/default/events';
const aNode = (name: string) => ({ metadata: { name } });

describe('the embedded cluster', () => {
  const notDone: readonly [
    method: 'GET' | 'POST' | 'PATCH' | 'DELETE',
    path: string,
    type?: string,
  ][] = [
    ['GET', '/api/v1/secrets'],
    ['POST', '/api/v1/namespaces/default/serviceaccounts/robot/token'],
    ['GET', '/apis/rbac.authorization.k8s.io/v1/clusterroles'],
    ['POST', '/apis/authentication.k8s.io/v1/tokenreviews'],
    ['POST', '/apis/authorization.k8s.io/v1/subjectaccessreviews'],
    ['GET', '/api/v1/nodes/n/proxy/metrics'],
    ['GET', '/api/v1/watch/nodes'],
    ['POST', '/api/v1/namespaces/default/pods/p/eviction'],
    ['GET', '/apis/apps/v1/namespaces/default/deployments'],
    ['GET', '/openapi/v2'],
    ['POST', '/api/v1/namespaces/default/pods'],
    ['DELETE', '/api/v1/namespaces/default'],
    ['POST', nodes, 'application/vnd.kubernetes.protobuf'],
    ['PATCH', `${nodes}/n`, 'application/apply-patch+yaml'],
    ['PATCH', `${nodes}/absent`, 'application/apply-patch+yaml'],
  ];
  for (const [method, path, type] of notDone) {
    it(`answers ${method} ${path} ${type ?? ''} with a 501 that names what is missing`, async () => {
      const embedded = aCluster();
      await ask(embedded, 'POST', nodes, aNode('n'));
      const { status, body } = await ask(embedded, method, path, {}, type);
      assert.deepEqual([status, body.kind, body.reason], [501, 'Status', 'NotImplemented']);
      assert.match(body.message, /^the embedded API server of Tandem does not /);
    });
  }

  const deletions: readonly (readonly [query: string, body: object | undefined])[] = [
    ['', { propagationPolicy: 'Foreground' }],
    ['', { propagationPolicy: 'Orphan' }],
    ['', { orphanDependents: true }],
    ['?propagationPolicy=Foreground', undefined],
    ['?orphanDependents=true', undefined],
  ];
  for (const [query, options] of deletions) {
    const given = `${query}${options === undefined ? '' : JSON.stringify(options)}`;
    it(`refuses a deletion that would wait for a garbage collector: ${given}`, async () => {
      const embedded = aCluster();
      await ask(embedded, 'POST', nodes, aNode('n'));
      const { status, body } = await ask(embedded, 'DELETE', `${nodes}/n${query}`, options);
      assert.equal(status, 501);
      assert.match(body.message, /^the embedded API server of Tandem does not collect garbage/);
      assert.equal((await ask(embedded, 'GET', `${nodes}/n`)).status, 200);
    });
  }

  it('answers JSON that is nested too deep with a 501 that says so', async () => {
    const embedded = aCluster();
    await ask(embedded, 'POST', nodes, aNode('n'));
    let deep: unknown = 1;
    for (let level = 0; level < 3_000; level++) deep = { a: deep };
    for (const kind of ['merge-patch', 'strategic-merge-patch']) {
      const type = `application/${kind}+json`;
      const { status, body } = await ask(embedded, 'PATCH', `${nodes}/n`, { x: deep }, type);
      assert.equal(status, 501);
      assert.match(body.message, /does not read JSON nested more than 500 levels deep$/);
    }
  });

  it('lets anonymous users read its health and version, and names the right that they lack', () => {
    const { cluster } = aCluster();
    const answerTo = (method: string, path: string): { status: number; body: string } => {
      const { status, body } = cluster.answer({
        method,
        path,
        headers: {},
        body: '',
        user: anonymous,
        signal: new AbortController().signal,
        hasStreamingList: true,
      });
      assert.ok(typeof body === 'string');
      return { status, body };
    };
    for (const path of ['/livez', '/version']) assert.equal(answerTo('GET', path).status, 200);
    for (const path of ['/apis', '/metrics', nodes])
      assert.equal(answerTo('GET', path).status, 403);
    assert.equal(answerTo('POST', '/livez').status, 403);
    const review = '/apis/authorization.k8s.io/v1/selfsubjectaccessreviews';
    assert.equal(answerTo('POST', review).status, 403);
    const denied = answerTo('PATCH', `${nodes}/n/status`);
    assert.deepEqual(
      [denied.status, JSON.parse(denied.body).message],
      [
        403,
        'nodes "n" is forbidden: User "system:anonymous" cannot patch resource "nodes/status" in API group "" at the cluster scope',
      ],
    );
  });

  it('removes events an hour after their last write', async () => {
    const embedded = aCluster();
    const create = (name: string) =>
      ask(embedded, 'POST', '/api/v1/namespaces/default/events', { metadata: { name } });
    await create('a');
    await create('b');
    await embedded.clock.advance(3_000_000);
    await ask(
      embedded,
      'PATCH',
      '/api/v1/namespaces/default/events/a',
      { reason: 'Again' },
      'application/merge-patch+json',
    );
    await embedded.clock.advance(700_000);
    const { body } = await ask(embedded, 'GET', events);
    assert.deepEqual(
      body.items.map((item: { metadata: { name: string } }) => item.metadata.name),
      ['a'],
    );
    assert.equal(embedded.clock.pending, 0);
  });

  it('sets no timer without a request or a watch under way', async () => {
    const { clock, cluster } = aCluster();
    await ask({ transport: cluster.connect({ latencyMs: 0 }) }, 'POST', nodes, aNode('n'));
    assert.equal(clock.pending, 0);
  });

  it('keeps the effect of a write whose client gave up before the answer', async () => {
    const { clock, cluster } = aCluster();
    const abort = new AbortController();
    const transport = cluster.connect({ latencyMs: 10 });
    const body = JSON.stringify(aNode('n'));
    const sent = transport.send({
      method: 'POST',
      path: nodes,
      headers: {},
      body,
      signal: abort.signal,
    });
    const failed = assert.rejects(sent, /given up/);
    await clock.advance(5);
    abort.abort(new Error('given up'));
    await failed;
    assert.equal(cluster.store.collection('nodes').size, 1);
  });

  it('sends no write that the write gate refuses', async () => {
    const { cluster } = aCluster();
    const transport = cluster.connect({ latencyMs: 0 });
    const refused = transport.send({
      method: 'POST',
      path: nodes,
      headers: {},
      body: JSON.stringify(aNode('n')),
      signal: new AbortController().signal,
      refuseAtSocket: () => new Error('lost the lease'),
    });
    await assert.rejects(refused, /lost the lease/);
    assert.equal(cluster.store.collection('nodes').size, 0);
  });

  it('ends watches when a connection is closed, and refuses further requests on it', async () => {
    const { clock, cluster } = aCluster();
    const transport = cluster.connect({ latencyMs: 0 });
    const signal = new AbortController().signal;
    const { body } = await transport.send({
      method: 'GET',
      path: `${nodes}?watch=1`,
      headers: {},
      signal,
    });
    const reading = assert.rejects(async () => {
      for await (const _ of body);
    }, TransportError);
    await transport.close();
    await reading;
    assert.equal(clock.pending, 0);
    await assert.rejects(ask({ transport }, 'GET', nodes), TransportError);
  });

  it('answers lists of any version from a lagging replica, and others from the newest state', async () => {
    const { cluster } = aCluster();
    const replica: { version?: number } = {};
    const transport = cluster.connect({ latencyMs: 0, staleVersion: () => replica.version });
    await ask({ transport }, 'POST', nodes, aNode('a'));
    replica.version = cluster.store.version;
    await ask({ transport }, 'POST', nodes, aNode('b'));
    const count = async (query: string) =>
      (await ask({ transport }, 'GET', `${nodes}${query}`)).body.items.length;
    assert.deepEqual([await count('?resourceVersion=0'), await count('')], [1, 2]);
    const newest = cluster.store.version;
    assert.equal(
      (await ask({ transport }, 'GET', `${nodes}?resourceVersion=${newest}`)).status,
      504,
    );
  });

  it('refuses streaming lists where it has none', async () => {
    const embedded = aCluster({ hasStreamingList: false });
    const query = 'watch=1&sendInitialEvents=true&resourceVersionMatch=NotOlderThan';
    const { status, body } = await ask(embedded, 'GET', `${nodes}?${query}`);
    assert.deepEqual([status, body.details.causes[0].field], [422, 'sendInitialEvents']);
  });
});
