import assert from 'node:assert/strict';
import type { KubeTransport, Method } from '@tandem/kube/transport';
import { seededRandom, type VirtualClock, virtualClock } from '@tandem/runtime';
import { type ApiModel, apiModel, type ConnectOptions } from './api-model.ts';

interface ListedNode {
  readonly metadata: { readonly name: string };
  readonly changed?: boolean;
}

interface World {
  readonly clock: VirtualClock;
  readonly model: ApiModel;
  readonly transport: KubeTransport;
}

const worldOf = (options?: ConnectOptions): World => {
  const clock = virtualClock();
  const model = apiModel({ clock, random: seededRandom('model') });
  return { clock, model, transport: model.connect(options) };
};

async function ask(
  { clock, transport }: World,
  method: Method,
  path: string,
  body?: unknown,
  contentType = 'application/json',
) {
  const signal = new AbortController().signal;
  const sent = transport.send({
    method,
    path,
    headers: { 'content-type': contentType },
    signal,
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });
  await clock.advance(10);
  const response = await sent;
  const chunks: Uint8Array[] = [];
  for await (const chunk of response.body) chunks.push(chunk);
  return { status: response.status, body: JSON.parse(Buffer.concat(chunks).toString()) };
}

const jsonPatch = 'application/json-patch+json';
const node = (name: string) => ({ metadata: { name }, spec: { taints: [{ key: 'a' }] } });

describe('the API server model', () => {
  it('stamps what is created with a UID, a version and the time', async () => {
    const world = worldOf();
    const { status, body } = await ask(world, 'POST', '/api/v1/nodes', node('n'));
    assert.equal(status, 201);
    assert.match(body.metadata.uid, /^[0-9a-f-]{36}$/);
    assert.equal(body.metadata.resourceVersion, '2');
    assert.equal((await ask(world, 'POST', '/api/v1/nodes', node('n'))).status, 409);
  });

  it('refuses an update with another version and a delete with another UID', async () => {
    const world = worldOf();
    await ask(world, 'POST', '/api/v1/nodes', node('n'));
    const old = { ...node('n'), metadata: { name: 'n', resourceVersion: '1' } };
    assert.equal((await ask(world, 'PUT', '/api/v1/nodes/n', old)).status, 409);
    const wrong = { preconditions: { uid: 'another' } };
    assert.equal((await ask(world, 'DELETE', '/api/v1/nodes/n', wrong)).status, 409);
    assert.equal((await ask(world, 'DELETE', '/api/v1/nodes/n')).status, 200);
    assert.equal((await ask(world, 'GET', '/api/v1/nodes/n')).status, 404);
  });

  it('applies a JSON patch whole, or refuses it without causes when a test fails', async () => {
    const world = worldOf();
    await ask(world, 'POST', '/api/v1/nodes', node('n'));
    const patch = (...operations: object[]) =>
      ask(world, 'PATCH', '/api/v1/nodes/n', operations, jsonPatch);
    const failed = await patch(
      { op: 'remove', path: '/spec/taints/0' },
      { op: 'test', path: '/spec/providerID', value: 'x' },
    );
    assert.deepEqual([failed.status, failed.body.details], [422, {}]);
    const applied = await patch(
      { op: 'test', path: '/spec/providerID', value: null },
      { op: 'test', path: '/spec/taints/0/key', value: 'a' },
      { op: 'remove', path: '/spec/taints/0' },
      { op: 'add', path: '/metadata/labels', value: {} },
      { op: 'add', path: '/metadata/labels/a.io~1b', value: 'c' },
    );
    assert.deepEqual(
      [applied.body.spec.taints, applied.body.metadata.labels],
      [[], { 'a.io/b': 'c' }],
    );
  });

  it('merges a condition by its type, and only into the version that it was meant for', async () => {
    const world = worldOf();
    const ready = { type: 'Ready', status: 'True' };
    const stored = { ...node('n'), status: { conditions: [ready] } };
    const { body: created } = await ask(world, 'POST', '/api/v1/nodes', stored);
    const network = { type: 'NetworkUnavailable', status: 'False' };
    const merge = (resourceVersion: string) =>
      ask(
        world,
        'PATCH',
        '/api/v1/nodes/n/status',
        { metadata: { resourceVersion }, status: { conditions: [network] } },
        'application/strategic-merge-patch+json',
      );
    assert.equal((await merge('1')).status, 409);
    const merged = await merge(created.metadata.resourceVersion);
    assert.deepEqual(merged.body.status.conditions, [ready, network]);
  });

  it('gives a write that changes nothing no new version', async () => {
    const world = worldOf();
    const created = await ask(world, 'POST', '/api/v1/nodes', node('n'));
    const again = await ask(
      world,
      'PATCH',
      '/api/v1/nodes/n',
      { spec: {} },
      'application/merge-patch+json',
    );
    assert.equal(again.body.metadata.resourceVersion, created.body.metadata.resourceVersion);
  });

  it('pages a list, and refuses a token whose version is compacted away', async () => {
    const world = worldOf();
    for (const name of ['a', 'b', 'c']) world.model.store.put('nodes', name, node(name));
    const first = await ask(world, 'GET', '/api/v1/nodes?limit=2');
    const token: string = first.body.metadata.continue;
    const second = await ask(world, 'GET', `/api/v1/nodes?limit=2&continue=${token}`);
    assert.deepEqual([first.body.items.length, second.body.items.length], [2, 1]);
    assert.equal(second.body.metadata.continue, undefined);
    world.model.store.put('nodes', 'd', node('d'));
    world.model.store.compact();
    const expired = await ask(world, 'GET', `/api/v1/nodes?limit=2&continue=${token}`);
    assert.equal(expired.status, 410);
  });

  it('gives all pages of a list from the version of the first, whatever happens in between', async () => {
    const world = worldOf();
    const { store } = world.model;
    for (const name of ['a', 'b', 'c', 'd']) store.put('nodes', name, node(name));
    const first = await ask(world, 'GET', '/api/v1/nodes?limit=1');
    store.remove('nodes', 'a');
    store.remove('nodes', 'c');
    store.put('nodes', 'b', { ...node('b'), changed: true });
    store.put('nodes', 'e', node('e'));
    const names: string[] = [];
    let page = first;
    for (let pages = 0; pages < 9; pages += 1) {
      assert.equal(page.body.metadata.resourceVersion, first.body.metadata.resourceVersion);
      names.push(
        ...page.body.items.map(
          ({ metadata, changed }: ListedNode) => `${metadata.name}${changed ?? ''}`,
        ),
      );
      const token: string | undefined = page.body.metadata.continue;
      if (token === undefined) break;
      page = await ask(world, 'GET', `/api/v1/nodes?limit=1&continue=${token}`);
    }
    assert.deepEqual(names, ['a', 'b', 'c', 'd']);
    assert.equal((await ask(world, 'GET', '/api/v1/nodes?limit=9')).body.items.length, 3);
    assert.equal((await ask(world, 'GET', '/api/v1/nodes?continue=nonsense')).status, 400);
  });

  it('answers what it does not know with 501', async () => {
    assert.equal((await ask(worldOf(), 'GET', '/api/v1/pods')).status, 501);
  });

  describe('watching', () => {
    async function open({ clock, transport }: World, query: string) {
      const abort = new AbortController();
      const sent = transport.send({
        method: 'GET',
        path: `/api/v1/nodes?watch=1&${query}`,
        headers: {},
        signal: abort.signal,
      });
      await clock.advance(10);
      const events: string[] = [];
      const reading = (async () => {
        for await (const chunk of (await sent).body) {
          const { type, object } = JSON.parse(Buffer.from(chunk).toString());
          events.push(
            `${type} ${object.metadata?.name ?? ''}${object.metadata?.annotations?.['k8s.io/initial-events-end'] ?? ''}${object.reason ?? ''}`,
          );
        }
      })();
      await clock.advance(0);
      return { events, abort, reading };
    }
    const streaming =
      'sendInitialEvents=true&resourceVersionMatch=NotOlderThan&allowWatchBookmarks=true';

    it('streams the list, its end, then every change and a bookmark a minute', async () => {
      const world = worldOf();
      world.model.store.put('nodes', 'a', node('a'));
      const { events, abort, reading } = await open(world, streaming);
      world.model.store.put('nodes', 'a', node('a'));
      world.model.store.remove('nodes', 'a');
      await world.clock.advance(60_000);
      assert.deepEqual(events, [
        'ADDED a',
        'BOOKMARK true',
        'MODIFIED a',
        'DELETED a',
        'BOOKMARK ',
      ]);
      abort.abort(new Error('enough'));
      await assert.rejects(reading, /enough/);
      assert.equal(world.clock.pending, 0);
    });

    it('resumes after a version, and says that it cannot after a compaction', async () => {
      const world = worldOf();
      for (const name of ['a', 'b']) world.model.store.put('nodes', name, node(name));
      const resumed = await open(world, 'resourceVersion=2&timeoutSeconds=1');
      await world.clock.advance(1000);
      assert.deepEqual(resumed.events, ['ADDED b']);
      world.model.store.compact();
      const { events } = await open(world, 'resourceVersion=2');
      assert.deepEqual(events, ['ERROR Expired']);
    });

    it('is silent about a version of the future, and refuses it in a streaming list', async () => {
      const world = worldOf();
      const silent = await open(world, 'resourceVersion=99');
      const refused = await open(world, `${streaming}&resourceVersion=99`);
      world.model.store.put('nodes', 'a', node('a'));
      await world.clock.advance(3000);
      assert.deepEqual([silent.events, refused.events], [[], ['ERROR Timeout']]);
    });

    it('refuses a streaming list where that is not known', async () => {
      const world = worldOf({ hasStreamingList: false });
      const { status, body } = await ask(world, 'GET', `/api/v1/nodes?watch=1&${streaming}`);
      assert.deepEqual([status, body.details.causes[0].field], [422, 'sendInitialEvents']);
    });
  });
});
