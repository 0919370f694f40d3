/** Updates, the status subresource, and the rules of nodes that hold while they live. */
import assert from 'node:assert/strict';
import { type Claim, configMaps, jsonPatch, leases, nodes, verdictOf } from './session.ts';

const setOnce = (name: string, field: string, first: object, second: object): Claim => ({
  name,
  async run(api) {
    const { metadata } = await api.aNode();
    const path = `${nodes}/${metadata.name}`;
    assert.equal((await api.patch(path, { spec: first })).status, 200);
    for (const spec of [second, Object.fromEntries(Object.keys(first).map((k) => [k, null]))]) {
      const answer = await api.patch(path, { spec });
      assert.deepEqual(verdictOf(answer), [422, 'Invalid', `${field} FieldValueForbidden`]);
    }
    assert.equal((await api.patch(path, { spec: first })).status, 200);
  },
});

export const updating: readonly Claim[] = [
  setOnce(
    'a provider ID is set once',
    'spec.providerID',
    { providerID: 'x://1' },
    { providerID: 'x://2' },
  ),
  setOnce(
    'pod CIDRs are set once',
    'spec.podCIDRs',
    { podCIDR: '10.0.0.0/24', podCIDRs: ['10.0.0.0/24', 'fd00::/64'] },
    { podCIDR: '10.0.1.0/24', podCIDRs: ['10.0.1.0/24', 'fd00::/64'] },
  ),
  {
    name: 'a duplicate address is refused, and another spelling of it is not',
    async run(api) {
      const { metadata } = await api.aNode();
      const path = `${nodes}/${metadata.name}/status`;
      const write = (...addresses: string[]) =>
        api.patch(
          path,
          [
            {
              op: 'add',
              path: '/status/addresses',
              value: addresses.map((address) => ({ type: 'InternalIP', address })),
            },
          ],
          jsonPatch,
        );
      const twice = await write('fd00::1', 'fd00::1');
      const cause = 'status.addresses[1] FieldValueDuplicate';
      assert.deepEqual(verdictOf(twice), [422, 'Invalid', cause]);
      assert.equal((await write('fd00::1', 'fd00:0::1')).status, 200);
    },
  },
  {
    name: 'a status write changes status and metadata and leaves the spec alone',
    async run(api) {
      const { metadata } = await api.aNode();
      const path = `${nodes}/${metadata.name}/status`;
      const { body } = await api.patch(path, {
        metadata: { labels: { a: 'b' } },
        spec: { unschedulable: true },
        status: { phase: 'Running' },
      });
      assert.deepEqual(
        [body.metadata.labels, body.spec.unschedulable, body.status.phase],
        [{ a: 'b' }, undefined, 'Running'],
      );
    },
  },
  {
    name: 'a write of the node leaves the status alone',
    async run(api) {
      const { metadata } = await api.aNode();
      const patch = { spec: { unschedulable: true }, status: { phase: 'Running' } };
      const { body } = await api.patch(`${nodes}/${metadata.name}`, patch);
      assert.deepEqual([body.spec.unschedulable, body.status.phase], [true, undefined]);
      const read = await api.want(200, { path: `${nodes}/${metadata.name}/status` });
      assert.equal(read.body.metadata.uid, metadata.uid);
    },
  },
  {
    name: 'a PUT replaces all but the status, and needs no version for a node',
    async run(api) {
      const { metadata } = await api.aNode({ metadata: { labels: { a: 'b' } } });
      const path = `${nodes}/${metadata.name}`;
      const body = { metadata: { name: metadata.name }, spec: { unschedulable: true } };
      const { body: put } = await api.want(200, { method: 'PUT', path, body });
      assert.deepEqual([put.metadata.labels, put.spec], [undefined, { unschedulable: true }]);
      assert.equal(put.metadata.uid, metadata.uid);
      assert.equal(put.status.nodeInfo.bootID, '');
    },
  },
  {
    name: 'a PUT with an older version or another UID is refused with 409',
    async run(api) {
      const { metadata } = await api.aNode();
      const { name } = metadata;
      const path = `${nodes}/${name}`;
      await api.patch(path, { metadata: { labels: { a: 'b' } } });
      for (const guard of [{ resourceVersion: metadata.resourceVersion }, { uid: 'another' }]) {
        const body = { metadata: { name, ...guard } };
        const answer = await api.ask({ method: 'PUT', path, body });
        assert.deepEqual(verdictOf(answer), [409, 'Conflict']);
      }
    },
  },
  {
    name: 'a PUT with another name or none is refused with 400, and one of a missing node with 404',
    async run(api) {
      const { metadata } = await api.aNode();
      const path = `${nodes}/${metadata.name}`;
      await api.want(400, { method: 'PUT', path, body: { metadata: { name: 'other' } } });
      await api.want(400, { method: 'PUT', path, body: { metadata: {} } });
      const name = api.name();
      await api.want(404, {
        method: 'PUT',
        path: `${nodes}/${name}`,
        body: { metadata: { name } },
      });
    },
  },
  {
    name: 'a PUT of a lease needs a version, and creates a missing lease',
    async run(api) {
      const name = api.name();
      const path = `${leases}/${name}`;
      const body = { metadata: { name }, spec: { holderIdentity: 'a' } };
      const created = await api.want(201, { method: 'PUT', path, body });
      const answer = await api.ask({ method: 'PUT', path, body });
      const cause = 'metadata.resourceVersion FieldValueInvalid';
      assert.deepEqual(verdictOf(answer), [422, 'Invalid', cause]);
      const { resourceVersion } = created.body.metadata;
      const next = { metadata: { name, resourceVersion }, spec: { holderIdentity: 'b' } };
      await api.want(200, { method: 'PUT', path, body: next });
      await api.want(409, { method: 'PUT', path, body: next });
    },
  },
  {
    name: 'a lease keeps an empty holder and zero transitions, and refuses a duration of zero',
    async run(api) {
      const name = api.name();
      const spec = { holderIdentity: '', leaseTransitions: 0, leaseDurationSeconds: 1 };
      const { body } = await api.want(201, {
        method: 'POST',
        path: leases,
        body: { metadata: { name }, spec },
      });
      assert.deepEqual(body.spec, spec);
      const refused = await api.patch(`${leases}/${name}`, { spec: { leaseDurationSeconds: 0 } });
      const cause = 'spec.leaseDurationSeconds FieldValueInvalid';
      assert.deepEqual(verdictOf(refused), [422, 'Invalid', cause]);
      assert.equal(refused.body.details.group, 'coordination.k8s.io');
    },
  },
  {
    name: 'times of a lease have exactly six digits of a second',
    async run(api) {
      const create = (renewTime: string) =>
        api.ask({
          method: 'POST',
          path: leases,
          body: { metadata: { name: api.name() }, spec: { renewTime } },
        });
      const good = await create('2026-01-01T00:00:00.000000Z');
      assert.deepEqual(
        [good.status, good.body.spec.renewTime],
        [201, '2026-01-01T00:00:00.000000Z'],
      );
      for (const bad of ['2026-01-01T00:00:00.000Z', '2026-01-01T00:00:00Z', 'nope']) {
        assert.deepEqual(verdictOf(await create(bad)), [400, 'BadRequest']);
      }
    },
  },
  {
    name: 'an immutable config map cannot be changed',
    async run(api) {
      const name = api.name();
      const body = { metadata: { name }, immutable: true, data: { a: '1' } };
      await api.want(201, { method: 'POST', path: configMaps, body });
      const answer = await api.patch(`${configMaps}/${name}`, { data: { a: '2' } });
      assert.deepEqual(verdictOf(answer), [422, 'Invalid', 'data FieldValueForbidden']);
    },
  },
  {
    name: 'every write raises the version, across resources',
    async run(api) {
      const first = await api.aNode();
      const lease = { metadata: { name: api.name() } };
      const second = await api.want(201, { method: 'POST', path: leases, body: lease });
      const third = await api.patch(`${nodes}/${first.metadata.name}`, {
        spec: { unschedulable: true },
      });
      const versions = [first, second.body, third.body].map(
        ({ metadata }) => +metadata.resourceVersion,
      );
      assert.deepEqual(
        versions,
        versions.toSorted((a, b) => a - b),
      );
      assert.equal(new Set(versions).size, 3);
    },
  },
  {
    name: 'version 0 means any version, and a malformed version is refused with 500',
    async run(api) {
      const { metadata } = await api.aNode();
      const { name } = metadata;
      const path = `${nodes}/${name}`;
      const put = (resourceVersion: string) =>
        api.ask({ method: 'PUT', path, body: { metadata: { name, resourceVersion } } });
      const patch = (resourceVersion: string) => api.patch(path, { metadata: { resourceVersion } });
      for (const write of [put, patch]) {
        assert.equal((await write('0')).status, 200);
        assert.equal((await write('1')).status, 409);
        for (const odd of ['abc', '-1', '1.5', ' 1', '9'.repeat(23)]) {
          assert.equal((await write(odd)).status, 500, odd);
        }
      }
      await api.want(500, { path: `${path}?resourceVersion=abc` });
      await api.want(500, { path: `${path}?resourceVersion=${'9'.repeat(23)}` });
      const fresh = { name: api.name(), resourceVersion: '0' };
      await api.want(201, { method: 'POST', path: nodes, body: { metadata: fresh } });
    },
  },
  {
    name: 'a lease is never updated without a version, also not by a patch that removes it',
    async run(api) {
      const name = api.name();
      await api.want(201, { method: 'POST', path: leases, body: { metadata: { name } } });
      const path = `${leases}/${name}`;
      const verdict = [422, 'Invalid', 'metadata.resourceVersion FieldValueInvalid'];
      const body = { metadata: { name, resourceVersion: '0' } };
      assert.deepEqual(verdictOf(await api.ask({ method: 'PUT', path, body })), verdict);
      for (const resourceVersion of ['0', null]) {
        assert.deepEqual(
          verdictOf(await api.patch(path, { metadata: { resourceVersion } })),
          verdict,
        );
      }
    },
  },
];
