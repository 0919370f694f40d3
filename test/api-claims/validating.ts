/** Invalid objects are refused, and fields of disabled features are not stored. */
import assert from 'node:assert/strict';
import {
  type Claim,
  configMaps,
  leases,
  mergePatch,
  nodes,
  type Session,
  verdictOf,
} from './session.ts';

/** Creates an object, and returns the status, or the parts of the refusal. */
async function verdictOn(api: Session, path: string, body: object): Promise<unknown[]> {
  const answer = await api.ask({ method: 'POST', path, body: { metadata: named(api), ...body } });
  return answer.status < 300 ? [answer.status] : verdictOf(answer);
}

function named(api: Session): { readonly name: string } {
  return { name: api.name() };
}

export const validating: readonly Claim[] = [
  {
    name: 'a pod CIDR with leading zeros is refused',
    async run(api) {
      const cause = 'spec.podCIDRs[0] FieldValueInvalid';
      for (const cidr of ['010.0.0.0/24', '10.0.0.0/024', '10.00.0.0/24', '2001:db8::/064']) {
        const verdict = await verdictOn(api, nodes, { spec: { podCIDRs: [cidr] } });
        assert.deepEqual(verdict, [422, 'Invalid', cause], cidr);
      }
      assert.deepEqual(
        await verdictOn(api, nodes, { spec: { podCIDRs: ['2001:0db8::/64'] } }),
        [201],
      );
    },
  },
  {
    name: 'a quantity is a number with a suffix, not negative, and whole where things are counted',
    async run(api) {
      const cases: readonly (readonly [resource: string, value: unknown, status: number])[] = [
        ...['abc', '', '1e', '1 k', '1.2.3', '1K', '1ki', true].map(
          (value) => ['cpu', value, 400] as const,
        ),
        ...['1', '+1', ' 1 ', '100m', '1Ki', 'Ki', '16Gi', '1k', '1e3', '1E', '0.5', 2].map(
          (value) => ['cpu', value, 201] as const,
        ),
        ['cpu', '-1', 422],
        ['pods', '1.5', 422],
        ['pods', '1.5k', 201],
        ['a.io/b', '100m', 422],
        ['a.io/b', '1000m', 201],
        ['memory', '1.5', 201],
      ];
      for (const [resource, value, status] of cases) {
        const [got] = await verdictOn(api, nodes, { status: { capacity: { [resource]: value } } });
        assert.equal(got, status, `${resource} ${JSON.stringify(value)}`);
      }
      const verdict = await verdictOn(api, nodes, { status: { allocatable: { cpu: '-1' } } });
      assert.deepEqual(verdict, [422, 'Invalid', 'status.allocatable.cpu FieldValueInvalid']);
    },
  },
  {
    name: 'a node without an allocatable can use its whole capacity',
    async run(api) {
      const created = await api.aNode({ status: { capacity: { cpu: '2' } } });
      assert.deepEqual(created.status.allocatable, { cpu: '2' });
      const { metadata } = await api.aNode();
      const path = `${nodes}/${metadata.name}/status`;
      const negative = await api.patch(path, { status: { capacity: { cpu: '-1' } } });
      assert.deepEqual([negative.body.code, negative.body.reason], [422, 'Invalid']);
      const { body } = await api.patch(path, { status: { capacity: { cpu: '3' } } });
      assert.deepEqual(body.status.allocatable, { cpu: '3' });
      const more = await api.patch(path, { status: { capacity: { cpu: '4' } } });
      assert.deepEqual(more.body.status.allocatable, { cpu: '3' });
    },
  },
  {
    name: 'the external ID of a node never changes, and its config source is not kept',
    async run(api) {
      const configSource = { configMap: { name: 'x' } };
      const { metadata, spec } = await api.aNode({ spec: { externalID: 'a', configSource } });
      assert.deepEqual([spec.externalID, spec.configSource], ['a', undefined]);
      const path = `${nodes}/${metadata.name}`;
      for (const externalID of ['b', null]) {
        assert.deepEqual(verdictOf(await api.patch(path, { spec: { externalID } })), [
          422,
          'Invalid',
          'spec.externalID FieldValueForbidden',
        ]);
      }
      const { body } = await api.patch(path, { spec: { configSource } });
      assert.equal(body.spec.configSource, undefined);
    },
  },
  {
    name: 'owner references are complete, name no event, and have at most one controller',
    async run(api) {
      const field = 'metadata.ownerReferences';
      const owner = { apiVersion: 'v1', kind: 'Pod', name: 'n', uid: 'u' };
      const verdict = async (ownerReferences: object[]) =>
        verdictOn(api, nodes, { metadata: { ...named(api), ownerReferences } });
      assert.deepEqual(await verdict([owner]), [201]);
      assert.deepEqual(await verdict([{ kind: 'x' }]), [
        422,
        'Invalid',
        ...['apiVersion', 'name', 'uid'].map((name) => `${field}.${name} FieldValueInvalid`),
      ]);
      const odd = `${field}.apiVersion FieldValueInvalid`;
      assert.deepEqual(await verdict([{ ...owner, apiVersion: 'a/b/c' }]), [422, 'Invalid', odd]);
      const whole = [422, 'Invalid', `${field} FieldValueInvalid`];
      assert.deepEqual(await verdict([{ ...owner, kind: 'Event' }]), whole);
      const controller = { ...owner, controller: true };
      assert.deepEqual(await verdict([controller, { ...controller, uid: 'v' }]), whole);
      const { metadata } = await api.aNode();
      const path = `${nodes}/${metadata.name}`;
      const patched = await api.patch(path, { metadata: { ownerReferences: [{ uid: 'u' }] } });
      assert.equal(patched.status, 422);
    },
  },
  {
    name: 'an integer out of range is refused',
    async run(api) {
      const portOf = (Port: number) => ({ daemonEndpoints: { kubeletEndpoint: { Port } } });
      const port = async (number: number) =>
        (await verdictOn(api, nodes, { status: portOf(number) }))[0];
      assert.deepEqual(
        [await port(99_999_999_999), await port(2 ** 31), await port(-5)],
        [400, 400, 201],
      );
      const images = [{ names: ['a'], sizeBytes: 1e20 }];
      assert.equal((await verdictOn(api, nodes, { status: { images } }))[0], 400);
      for (const field of ['leaseDurationSeconds', 'leaseTransitions']) {
        const lease = async (value: number) =>
          (await verdictOn(api, leases, { spec: { [field]: value } }))[0];
        assert.deepEqual([await lease(3e9), await lease(2 ** 31 - 1)], [400, 201]);
      }
    },
  },
  {
    name: 'a lease keeps nothing of coordinated elections',
    async run(api) {
      const spec = {
        holderIdentity: 'a',
        strategy: 'OldestEmulationVersion',
        preferredHolder: 'b',
      };
      const body = { metadata: named(api), spec };
      const created = await api.want(201, { method: 'POST', path: leases, body });
      assert.deepEqual(created.body.spec, { holderIdentity: 'a' });
    },
  },
  {
    name: 'a config map has at most a mebibyte, in text and binary data together',
    async run(api) {
      const mebibyte = 1024 * 1024;
      const tooLong = [422, 'Invalid', '[] FieldValueTooLong'];
      const half = { data: { a: 'x'.repeat(mebibyte / 2) } };
      const binary = (bytes: number) => ({ b: Buffer.alloc(bytes).toString('base64') });
      const cases: readonly (readonly [given: object, want: unknown[]])[] = [
        [{ data: { a: 'x'.repeat(mebibyte) } }, [201]],
        [{ data: { a: 'x'.repeat(mebibyte), b: 'x' } }, tooLong],
        [{ data: { a: 'é'.repeat(mebibyte / 2 + 1) } }, tooLong],
        [{ ...half, binaryData: binary(mebibyte / 2) }, [201]],
        [{ ...half, binaryData: binary(mebibyte / 2 + 1) }, tooLong],
      ];
      for (const [given, want] of cases) {
        assert.deepEqual(await verdictOn(api, configMaps, given), want);
      }
    },
  },
  {
    name: 'binary data is base64, and no key is in both halves of a config map',
    async run(api) {
      for (const a of ['!!', 'YQ', 'YQ=', '_w==', 'Y===', 'Y=Q=']) {
        assert.deepEqual(await verdictOn(api, configMaps, { binaryData: { a } }), [
          400,
          'BadRequest',
        ]);
      }
      const binaryData = { a: 'YQ=\n=', b: 'YR==', c: '', d: null };
      const body = { metadata: named(api), binaryData };
      const created = await api.want(201, { method: 'POST', path: configMaps, body });
      assert.deepEqual(created.body.binaryData, { a: 'YQ==', b: 'YQ==', c: '', d: '' });
      const both = { data: { a: 'x' }, binaryData: { a: 'YQ==' } };
      assert.deepEqual(await verdictOn(api, configMaps, both), [
        422,
        'Invalid',
        'data[a] FieldValueInvalid',
      ]);
    },
  },
  {
    name: 'annotations have at most 256 KiB together, counted in bytes',
    async run(api) {
      const annotated = (a: string) => ({ metadata: { ...named(api), annotations: { a } } });
      const tooLong = [422, 'Invalid', 'metadata.annotations FieldValueTooLong'];
      assert.deepEqual(await verdictOn(api, nodes, annotated('x'.repeat(262_143))), [201]);
      assert.deepEqual(await verdictOn(api, nodes, annotated('x'.repeat(262_144))), tooLong);
      assert.deepEqual(await verdictOn(api, nodes, annotated('é'.repeat(131_072))), tooLong);
    },
  },
  {
    name: 'a field manager has at most 128 bytes that can be printed',
    async run(api) {
      const cases = [
        ['x'.repeat(128), 201],
        ['x'.repeat(129), 422],
        ['a%20b', 201],
        ['a%01b', 422],
      ] as const;
      for (const [manager, status] of cases) {
        const path = `${nodes}?fieldManager=${manager}`;
        await api.want(status, { method: 'POST', path, body: { metadata: named(api) } });
      }
      const { metadata } = await api.aNode();
      const path = `${nodes}/${metadata.name}?fieldManager=${'x'.repeat(129)}`;
      const answer = await api.patch(path, {}, mergePatch);
      assert.deepEqual(verdictOf(answer), [422, 'Invalid', 'fieldManager FieldValueTooLong']);
    },
  },
];
