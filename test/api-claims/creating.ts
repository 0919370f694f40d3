/** Creating objects: what the server fills in, and what it refuses. */
import assert from 'node:assert/strict';
import { type Claim, configMaps, leases, nodes, verdictOf } from './session.ts';

const invalid = (
  name: string,
  body: { metadata?: object; spec?: object },
  causes: readonly string[],
): Claim => ({
  name,
  async run(api) {
    const metadata = { name: api.name(), ...body.metadata };
    const answer = await api.ask({ method: 'POST', path: nodes, body: { ...body, metadata } });
    assert.deepEqual(verdictOf(answer), [422, 'Invalid', ...causes]);
    assert.equal(answer.body.details.kind, 'Node');
  },
});

export const creating: readonly Claim[] = [
  {
    name: 'a new object gets a UID, a version and the time',
    async run(api) {
      const node = await api.aNode();
      assert.match(node.metadata.uid, /^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[0-9a-f-]{17}$/);
      assert.match(node.metadata.resourceVersion, /^\d+$/);
      assert.match(node.metadata.creationTimestamp, /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ$/);
      assert.deepEqual([node.kind, node.apiVersion], ['Node', 'v1']);
    },
  },
  {
    name: 'a new node is tainted not-ready, beside the taints it brings',
    async run(api) {
      const taints = [{ key: 'a', value: 'b', effect: 'NoExecute' }];
      const node = await api.aNode({ spec: { taints } });
      const notReady = { key: 'node.kubernetes.io/not-ready', effect: 'NoSchedule' };
      assert.deepEqual(node.spec.taints, [...taints, notReady]);
    },
  },
  {
    name: 'a new node without status has empty node info and no addresses',
    async run(api) {
      const { status } = await api.aNode();
      assert.equal(status.nodeInfo.kubeletVersion, '');
      assert.deepEqual(status.daemonEndpoints, { kubeletEndpoint: { Port: 0 } });
      assert.equal(status.addresses, undefined);
    },
  },
  {
    name: 'the status that comes with a new node is kept',
    async run(api) {
      const addresses = [{ type: 'Hostname', address: 'h' }];
      assert.deepEqual((await api.aNode({ status: { addresses } })).status.addresses, addresses);
    },
  },
  {
    name: 'a name that is taken is refused with 409',
    async run(api) {
      const { metadata } = await api.aNode();
      const again = await api.ask({
        method: 'POST',
        path: nodes,
        body: { metadata: { name: metadata.name } },
      });
      assert.deepEqual(verdictOf(again), [409, 'AlreadyExists']);
      assert.deepEqual(again.body.details, { name: metadata.name, kind: 'nodes' });
      assert.equal(again.body.message, `nodes "${metadata.name}" already exists`);
    },
  },
  {
    name: 'the server can generate a name',
    async run(api) {
      const generateName = `${api.name()}-`;
      const body = { metadata: { generateName } };
      const { body: node } = await api.want(201, { method: 'POST', path: nodes, body });
      assert.match(
        node.metadata.name,
        new RegExp(`^${generateName}[bcdfghjklmnpqrstvwxz2456789]{5}$`),
      );
    },
  },
  {
    name: 'UID and creation time from the client are ignored',
    async run(api) {
      const uid = '00000000-0000-4000-8000-000000000000';
      const { metadata } = await api.aNode({
        metadata: { uid, creationTimestamp: '2001-01-01T00:00:00Z', namespace: 'x' },
      });
      assert.notEqual(metadata.uid, uid);
      assert.doesNotMatch(metadata.creationTimestamp, /^2001/);
      assert.equal(metadata.namespace, undefined);
    },
  },
  {
    name: 'a dry run creates nothing',
    async run(api) {
      const name = api.name();
      const body = { metadata: { name } };
      await api.want(201, { method: 'POST', path: `${nodes}?dryRun=All`, body });
      await api.want(404, { path: `${nodes}/${name}` });
      const odd = await api.ask({ method: 'POST', path: `${nodes}?dryRun=Some`, body });
      assert.deepEqual(verdictOf(odd), [422, 'Invalid', 'dryRun FieldValueNotSupported']);
    },
  },
  {
    name: 'unknown fields are dropped with a warning, and refused when that is asked for',
    async run(api) {
      const body = { metadata: { name: api.name() }, spec: { nonsense: 1 } };
      const strict = `${nodes}?fieldValidation=Strict`;
      const refused = await api.want(400, { method: 'POST', path: strict, body });
      assert.match(refused.body.message, /strict decoding error: unknown field "spec.nonsense"/);
      const taken = await api.want(201, { method: 'POST', path: nodes, body });
      assert.equal(taken.body.spec.nonsense, undefined);
      assert.match(taken.headers['warning'] ?? '', /299 - "unknown field \\"spec.nonsense\\""/);
    },
  },
  {
    name: 'a value of a wrong type is refused with 400',
    async run(api) {
      const body = { metadata: { name: api.name(), labels: { a: 5 } } };
      const answer = await api.want(400, { method: 'POST', path: nodes, body });
      assert.match(
        answer.body.message,
        /^Node in version "v1" cannot be handled as a Node: json: cannot unmarshal number/,
      );
    },
  },
  {
    name: 'a body that is not JSON, or is of another kind, is refused with 400',
    async run(api) {
      for (const text of ['{"metadata":{', '[]', '{"kind":"Pod","apiVersion":"v1"}']) {
        const answer = await api.want(400, { method: 'POST', path: nodes, text });
        assert.equal(answer.body.reason, 'BadRequest');
      }
    },
  },
  {
    name: 'a body of another media type is refused with 415',
    async run(api) {
      const question = {
        method: 'POST',
        path: nodes,
        text: 'x',
        contentType: 'text/plain',
      } as const;
      assert.equal((await api.want(415, question)).body.reason, 'UnsupportedMediaType');
    },
  },
  {
    name: 'a body over three megabytes is refused with 413',
    async run(api) {
      const body = { metadata: { name: api.name(), annotations: { a: 'x'.repeat(3_200_000) } } };
      const answer = await api.want(413, { method: 'POST', path: nodes, body });
      assert.deepEqual(verdictOf(answer), [413, 'RequestEntityTooLarge']);
    },
  },
  {
    name: 'a namespaced object needs a namespace that exists, and is in no other',
    async run(api) {
      const body = { metadata: { name: api.name() } };
      const path = leases.replace('kube-system', 'nonesuch');
      const missing = await api.want(404, { method: 'POST', path, body });
      assert.equal(missing.body.message, 'namespaces "nonesuch" not found');
      const elsewhere = { metadata: { ...body.metadata, namespace: 'default' } };
      await api.want(400, { method: 'POST', path: leases, body: elsewhere });
      await api.want(405, { method: 'POST', path: '/apis/coordination.k8s.io/v1/leases', body });
    },
  },
  {
    name: 'config maps keep their data, and refuse odd keys',
    async run(api) {
      const name = api.name();
      const body = { metadata: { name }, data: { 'a.b': 'c' } };
      const created = await api.want(201, { method: 'POST', path: configMaps, body });
      assert.deepEqual(created.body.data, { 'a.b': 'c' });
      const odd = { metadata: { name: api.name() }, data: { 'a b': 'c' } };
      const refused = await api.ask({ method: 'POST', path: configMaps, body: odd });
      assert.deepEqual(verdictOf(refused), [422, 'Invalid', 'data[a b] FieldValueInvalid']);
    },
  },
  invalid('a node name is a DNS subdomain', { metadata: { name: 'A_b' } }, [
    'metadata.name FieldValueInvalid',
  ]),
  invalid('a name is needed', { metadata: { name: '' } }, ['metadata.name FieldValueRequired']),
  invalid(
    'labels and annotations have a syntax',
    { metadata: { labels: { 'a b': 'c', d: 'e f' }, annotations: { 'k k': 'v' } } },
    [
      'metadata.labels FieldValueInvalid',
      'metadata.labels FieldValueInvalid',
      'metadata.annotations FieldValueInvalid',
    ],
  ),
  invalid(
    'taints have a key, an effect that is known, and come once',
    {
      spec: {
        taints: [
          { key: 'a', effect: 'Bad' },
          { key: 'c', effect: 'NoSchedule' },
          { key: 'c', effect: 'NoSchedule' },
        ],
      },
    },
    ['metadata.taints[0].effect FieldValueNotSupported', 'metadata.taints[2] FieldValueDuplicate'],
  ),
  invalid(
    'two pod CIDRs are one of each family',
    { spec: { podCIDRs: ['10.0.0.0/24', '10.0.1.0/24'] } },
    ['spec.podCIDRs FieldValueInvalid'],
  ),
  invalid('a pod CIDR is a CIDR', { spec: { podCIDR: 'nonsense' } }, [
    'spec.podCIDRs[0] FieldValueInvalid',
  ]),
  {
    name: 'podCIDR is the first of podCIDRs, whichever is given',
    async run(api) {
      const podCIDRs = ['10.0.1.0/24', 'fd00::/64'];
      const plural = await api.aNode({ spec: { podCIDRs } });
      assert.deepEqual([plural.spec.podCIDR, plural.spec.podCIDRs], [podCIDRs[0], podCIDRs]);
      const singular = await api.aNode({ spec: { podCIDR: '10.0.2.0/24' } });
      assert.deepEqual(singular.spec.podCIDRs, ['10.0.2.0/24']);
    },
  },
];
