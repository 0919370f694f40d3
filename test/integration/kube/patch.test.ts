/**
 * The two writes that initialise a node, on a real API server: what they make of it, which changes in
 * between they survive and which stop them, and how every refusal is told from every other.
 */
import assert from 'node:assert/strict';
import type { KubeClient } from '@tandem/kube/client';
import { applyPatch, type GuardedPatch, type PatchOutcome } from '@tandem/kube/patch';
import { addressPatch, conditionPatch, nodePatch, podCIDRsPatch } from '@tandem/kube/node';
import { type KubeTransport, TransportError } from '@tandem/kube/transport';
import {
  type ControlPlane,
  eventually,
  request,
  sharedControlPlane,
} from '../../control-plane/index.ts';
import { connectClient, type ConnectedClient } from '../../support/connected-client.ts';
import { type Node, Nodes, uninitialized } from './patch-nodes.ts';

const addresses = [
  { type: 'InternalIP', address: '10.0.0.1' },
  { type: 'InternalIP', address: 'fd00::1' },
  { type: 'Hostname', address: 'node' },
];

const labels = { 'topology.kubernetes.io/zone': 'a', 'example.com/rack': 'b', plain: '' };

const notReady = { key: 'node.kubernetes.io/not-ready', effect: 'NoExecute' };

describe('guarded patches on a real API server', function () {
  this.timeout(60_000);
  let controlPlane: ControlPlane;
  let nodes: Nodes;
  let connected: ConnectedClient;
  let client: KubeClient;

  before(async function () {
    controlPlane = await sharedControlPlane(this);
    nodes = new Nodes(controlPlane.admin);
    connected = await connectClient(controlPlane.kubeconfig);
    client = connected.client;
  });

  after(() => connected?.[Symbol.asyncDispose]());

  const status = ({ name, uid, addresses: seen }: Node): GuardedPatch =>
    addressPatch({ name, uid, seen, addresses });

  function initialisation(node: Node): GuardedPatch {
    const patch = nodePatch({
      node,
      addresses,
      providerID: `static:///${node.name}`,
      labels,
      taintsToRemove: [uninitialized.key],
    });
    assert.ok(patch);
    return patch;
  }

  async function apply(patch: GuardedPatch): Promise<PatchOutcome['kind']> {
    return (await applyPatch(patch, { client })).kind;
  }

  const odd = [
    { name: 'with labels', labels: { 'kubernetes.io/hostname': 'x' } },
    { name: 'without labels' },
    { name: 'with the providerID already', providerID: 'static:///patch-init-2' },
    { name: 'with the taint twice', taints: [{ ...uninitialized, effect: 'NoExecute' }] },
  ];
  for (const [index, { name: title, ...given }] of odd.entries()) {
    it(`initialise a node ${title} in two writes`, async () => {
      const name = `patch-init-${index}`;
      const taints = [uninitialized, notReady, ...(given.taints ?? [])];
      const node = await nodes.create({ ...given, name, taints });

      const first = await applyPatch(status(node), { client });
      const between = await nodes.get(name);
      assert.deepEqual(first, { kind: 'applied', resourceVersion: between.resourceVersion });
      assert.deepEqual([between.addresses, between.taints], [addresses, node.taints]);

      assert.equal(await apply(initialisation(node)), 'applied');
      const done = await nodes.get(name);
      assert.deepEqual(
        done.taints.map(({ key }) => key).filter((key) => key === uninitialized.key),
        [],
      );
      assert.ok(done.taints.some(({ key }) => key === notReady.key));
      assert.equal(done.providerID, `static:///${name}`);
      assert.deepEqual(done.labels, { ...given.labels, ...labels });
      assert.deepEqual(done.addresses, addresses);
    });
  }

  async function beatUntil(done: AbortSignal, name: string): Promise<void> {
    for (let count = 0; !done.aborted; count++) await nodes.heartbeat(name, count);
  }

  it('do not fail because of heartbeats in between', async () => {
    const names = Array.from({ length: 10 }, (_, index) => `patch-heartbeat-${index}`);
    const outcomes = await Promise.all(
      names.map(async (name) => {
        const node = await nodes.create({ name, taints: [uninitialized] });
        const done = new AbortController();
        const beating = beatUntil(done.signal, name);
        const kinds = [await apply(status(node)), await apply(initialisation(node))];
        done.abort();
        await beating;
        return kinds;
      }),
    );
    assert.deepEqual(
      outcomes,
      names.map(() => ['applied', 'applied']),
    );
  });

  it('fail at a namesake of the node that they were made for', async () => {
    const name = 'patch-namesake';
    const node = await nodes.create({ name, taints: [uninitialized] });
    await nodes.delete(name);
    assert.equal(await apply(status(node)), 'gone');
    await nodes.create({ name, taints: [uninitialized] });
    assert.equal(await apply(status(node)), 'guardFailed');
    assert.equal(await apply(initialisation(node)), 'guardFailed');
    assert.deepEqual((await nodes.get(name)).addresses, []);
  });

  it('leave the taint when the addresses are not what was written', async () => {
    const name = 'patch-addresses-changed';
    const node = await nodes.create({ name, taints: [uninitialized] });
    assert.equal(await apply(initialisation(node)), 'guardFailed');
    assert.equal(await apply(status(node)), 'applied');
    await nodes.setAddresses(name, addresses.toReversed());
    assert.equal(await apply(initialisation(node)), 'guardFailed');
    assert.ok((await nodes.get(name)).taints.some(({ key }) => key === uninitialized.key));
  });

  it('fail when the list of taints has changed, and heal by a fresh look', async () => {
    const name = 'patch-taints-changed';
    const seen = await nodes.create({ name, taints: [uninitialized] });
    assert.equal(await apply(status(seen)), 'applied');
    await nodes.setTaints(name, [{ key: 'other', effect: 'NoSchedule' }, notReady, uninitialized]);
    assert.equal(await apply(initialisation(seen)), 'guardFailed');
    assert.equal(await apply(initialisation(await nodes.get(name))), 'applied');
    const { taints } = await nodes.get(name);
    assert.deepEqual(
      taints.map(({ key }) => key),
      ['other', notReady.key],
    );
  });

  it('fail when somebody else has set a providerID', async () => {
    const name = 'patch-provider-id';
    const seen = await nodes.create({ name, taints: [uninitialized] });
    assert.equal(await apply(status(seen)), 'applied');
    const other = nodePatch({ node: seen, providerID: 'other:///node' });
    assert.ok(other);
    assert.equal(await apply(other), 'applied');
    assert.equal(await apply(initialisation(seen)), 'guardFailed');
  });

  it('write no addresses where the list is not the one that they were decided on', async () => {
    const { name } = await nodes.create({ name: 'patch-behind' });
    const kubelets = [{ type: 'Hostname', address: name }];
    await nodes.setAddresses(name, kubelets);
    const before = await nodes.get(name);
    assert.equal(await apply(status(before)), 'applied');
    const after = await nodes.get(name);
    assert.equal(await apply(status(before)), 'guardFailed');
    assert.equal((await nodes.get(name)).resourceVersion, after.resourceVersion);
  });

  const blocks = (index: number) => [`10.244.${index}.0/24`, `fd00:10:244:${index}::/64`] as const;

  it('give a node its pod CIDRs only once', async () => {
    const name = 'patch-pod-cidrs';
    const { uid } = await nodes.create({ name });
    assert.equal(await apply(podCIDRsPatch({ name, uid, podCIDRs: blocks(1) })), 'applied');
    assert.equal(await apply(podCIDRsPatch({ name, uid, podCIDRs: blocks(2) })), 'guardFailed');
    const { podCIDR, podCIDRs } = await nodes.get(name);
    assert.deepEqual([podCIDR, podCIDRs], [blocks(1)[0], blocks(1)]);
    await nodes.delete(name);
    await nodes.create({ name });
    assert.equal(await apply(podCIDRsPatch({ name, uid, podCIDRs: blocks(1) })), 'guardFailed');
    assert.deepEqual((await nodes.get(name)).podCIDRs, []);
  });

  it('are refused with causes when two pod CIDRs are of one family', async () => {
    const { name, uid } = await nodes.create({ name: 'patch-one-family' });
    const podCIDRs = [blocks(3)[0], blocks(4)[0]] as const;
    assert.equal(await apply(podCIDRsPatch({ name, uid, podCIDRs })), 'refused');
  });

  const unavailable = {
    type: 'NetworkUnavailable',
    status: 'True',
    reason: 'NoRouteCreated',
    message: 'Node created without a route',
  } as const;
  const available = { ...unavailable, status: 'False', reason: 'RouteCreated' } as const;
  const marked = (node: Node, condition: typeof unavailable | typeof available): GuardedPatch =>
    conditionPatch({ ...node, condition, atMs: Date.UTC(2026, 0, 1) });

  it('set one condition and leave the others, and never hold one type twice', async () => {
    const name = 'patch-condition';
    await nodes.create({ name });
    await nodes.heartbeat(name, 1);
    for (const condition of [unavailable, available]) {
      assert.equal(await apply(marked(await nodes.get(name), condition)), 'applied');
    }
    const { conditions } = await nodes.get(name);
    assert.deepEqual(
      conditions.map((condition) => `${condition.type}=${condition.status} ${condition.reason}`),
      ['NetworkUnavailable=False RouteCreated', 'Ready=True r1'],
    );
  });

  it('set no condition on a node that changed since, nor on a namesake', async () => {
    const name = 'patch-condition-late';
    const seen = await nodes.create({ name });
    await nodes.heartbeat(name, 1);
    assert.equal(await apply(marked(seen, unavailable)), 'guardFailed');
    await nodes.delete(name);
    const { resourceVersion } = await nodes.create({ name });
    assert.equal(await apply(marked(seen, unavailable)), 'guardFailed');
    // The UID alone is guard enough: the API server takes it for a change of the namesake's.
    assert.equal(await apply(marked({ ...seen, resourceVersion }, unavailable)), 'refused');
    assert.deepEqual((await nodes.get(name)).conditions, []);
  });

  it('are refused with causes when what they write is invalid', async () => {
    const { name, uid } = await nodes.create({ name: 'patch-duplicates' });
    const twice = [addresses[0]!, addresses[0]!];
    const outcome = await applyPatch(addressPatch({ name, uid, seen: [], addresses: twice }), {
      client,
    });
    assert.equal(outcome.kind, 'refused');
    assert.deepEqual(
      outcome.kind === 'refused' &&
        outcome.err.status.causes.map(({ reason, field }) => [reason, field]),
      [['FieldValueDuplicate', 'status.addresses[1]']],
    );
  });

  it('fail their guard when they add a taint that somebody else added meanwhile', async () => {
    const name = 'patch-taint-twice';
    const seen = await nodes.create({ name, taints: [uninitialized] });
    const patch = nodePatch({ node: seen, taintsToAdd: [notReady] });
    assert.ok(patch);
    await nodes.setTaints(name, [uninitialized, notReady]);
    assert.equal(await apply(patch), 'guardFailed');
  });

  it('are denied to those without rights', async () => {
    const node = await nodes.create({ name: 'patch-without-rights' });
    await using nobody = await connectClient(
      await controlPlane.kubeconfigFor({ user: 'patch-nobody' }),
    );
    const outcome = await applyPatch(status(node), { client: nobody.client });
    assert.equal(outcome.kind, 'denied');
    assert.equal(outcome.kind === 'denied' && outcome.err.status.code, 403);
  });

  async function createPolicy(name: string, reason: string): Promise<void> {
    const policies = '/apis/admissionregistration.k8s.io/v1';
    const rule = {
      apiGroups: [''],
      apiVersions: ['v1'],
      operations: ['UPDATE'],
      resources: ['nodes'],
    };
    const spec = {
      matchConstraints: { resourceRules: [rule] },
      matchConditions: [{ name: 'one-node', expression: `object.metadata.name == '${name}'` }],
      validations: [{ expression: 'false', message: 'Not today', reason }],
    };
    const binding = { policyName: name, validationActions: ['Deny'] };
    for (const [path, body] of [
      [`${policies}/validatingadmissionpolicies`, { metadata: { name }, spec }],
      [`${policies}/validatingadmissionpolicybindings`, { metadata: { name }, spec: binding }],
    ] as const) {
      const answer = await request(controlPlane.admin, { method: 'POST', path, body });
      assert.equal(answer.status, 201, answer.text);
    }
  }

  for (const { reason, code, want } of [
    { reason: 'Forbidden', code: 403, want: 'denied' },
    { reason: 'Invalid', code: 422, want: 'refused' },
  ]) {
    it(`are ${want} by an admission policy with ${code}, which is no failed guard`, async () => {
      const name = `patch-${want}-by-policy`;
      const node = await nodes.create({ name, labels: { some: 'label' } });
      await createPolicy(name, reason);
      // The API server learns of policies by a watch; until then each patch sets another label.
      let count = 0;
      const { kind, err } = await eventually(async () => {
        const patch = nodePatch({ node, labels: { [`label-${count++}`]: '' } });
        const outcome = patch && (await applyPatch(patch, { client }));
        return outcome !== undefined && 'err' in outcome && outcome;
      });
      assert.equal(kind, want);
      assert.match(err.message, new RegExp(`failed with ${code}: .*Not today`));
    });
  }

  it('are found to be stored when the answer gets lost', async () => {
    const node = await nodes.create({ name: 'patch-lost-answer', taints: [uninitialized] });
    const sent: string[] = [];
    const losesFirstAnswer = (inner: KubeTransport): KubeTransport => ({
      ...inner,
      async send(outgoing) {
        const response = await inner.send(outgoing);
        sent.push(outgoing.method);
        if (sent.length > 1) return response;
        throw new TransportError('The connection was reset', {
          code: 'ConnectionReset',
          retry: 'backoff',
          effect: 'unknown',
        });
      },
    });
    await using flaky = await connectClient(controlPlane.kubeconfig, {
      decorate: losesFirstAnswer,
    });
    const outcome = await applyPatch(status(node), { client: flaky.client });
    const { resourceVersion } = await nodes.get(node.name);
    assert.deepEqual(outcome, { kind: 'applied', resourceVersion });
    assert.deepEqual(sent, ['PATCH', 'GET']);
  });
});
