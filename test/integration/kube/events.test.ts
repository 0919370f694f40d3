/**
 * Events on a real API server, seen as people see them: by `kubectl describe node`. Also who may write
 * them under which group, and what the server's own limits are.
 */
import assert from 'node:assert/strict';
import { EventRecorder, type NewEvent, nodeReference } from '@tandem/kube/events';
import {
  type Clock,
  createLogger,
  createMetrics,
  systemClock,
  systemRandom,
} from '@tandem/runtime';
import { virtualClock } from '@tandem/runtime/testing';
import {
  type ControlPlane,
  eventually,
  request,
  sharedControlPlane,
  type User,
} from '../../control-plane/index.ts';
import { describedEvents, kubectl } from '../../support/kubectl.ts';
import { connectClient } from '../../support/connected-client.ts';
import { type Node, Nodes } from './patch-nodes.ts';

interface StoredEvent {
  readonly metadata: { readonly name: string };
  readonly eventTime: string;
  readonly series?: { readonly count: number; readonly lastObservedTime: string };
  readonly note: string;
  readonly reason: string;
  readonly reportingController: string;
  readonly reportingInstance: string;
}

describe('events on a real API server', function () {
  this.timeout(60_000);
  let controlPlane: ControlPlane;
  let nodes: Nodes;

  before(async function () {
    controlPlane = await sharedControlPlane(this);
    nodes = new Nodes(controlPlane.admin);
  });

  interface Recording extends AsyncDisposable {
    readonly recorder: EventRecorder;
    readonly log: string[];
  }

  async function record(
    options: { kubeconfig?: string; clock?: Clock; reportingInstance?: string } = {},
  ): Promise<Recording> {
    const { kubeconfig = controlPlane.kubeconfig, clock = systemClock } = options;
    const connected = await connectClient(kubeconfig);
    const log: string[] = [];
    const write = (line: string): void => void log.push(JSON.parse(line).msg);
    const recorder = new EventRecorder({
      client: connected.client,
      clock,
      random: systemRandom,
      metrics: createMetrics(),
      logger: createLogger({ clock: systemClock, level: 'warn', destination: { write } }),
      reportingInstance: options.reportingInstance ?? 'tests',
    });
    return {
      recorder,
      log,
      async [Symbol.asyncDispose]() {
        await recorder.stop();
        await connected[Symbol.asyncDispose]();
      },
    };
  }

  const refused = (node: Node, over: Partial<NewEvent> = {}): NewEvent => ({
    regarding: nodeReference(node),
    type: 'Warning',
    reason: 'AddressNotFound',
    action: 'ResolveAddresses',
    note: 'The cloud has no 10.0.0.9 for this node',
    reportingController: 'cloud-node-controller',
    ...over,
  });

  async function storedEvents(node: Node): Promise<StoredEvent[]> {
    const selector = encodeURIComponent(`regarding.uid=${node.uid}`);
    const path = `/apis/events.k8s.io/v1/namespaces/default/events?fieldSelector=${selector}`;
    const answer = await request(controlPlane.admin, { path });
    assert.equal(answer.status, 200, answer.text);
    return JSON.parse(answer.text).items;
  }

  function eventuallyCounted(node: Node, count: number): Promise<StoredEvent> {
    return eventually(async () => {
      const [stored, ...others] = await storedEvents(node);
      assert.deepEqual(others, []);
      return (stored?.series?.count ?? (stored && 1)) === count && stored;
    });
  }

  it('are shown by kubectl describe node, with how often and since when', async () => {
    const node = await nodes.create({ name: 'events-described' });
    await using recording = await record();
    recording.recorder.record(refused(node));
    await eventuallyCounted(node, 1);
    const [once = '', ...more] = await describedEvents(controlPlane, node.name);
    assert.deepEqual(more, []);
    const want =
      /^ +Warning +AddressNotFound +\S+ +cloud-node-controller +The cloud has no 10\.0\.0\.9/;
    assert.match(once, want);
    recording.recorder.record(refused(node));
    await eventuallyCounted(node, 2);
    recording.recorder.record(refused(node));
    await eventuallyCounted(node, 3);
    const [thrice = ''] = await describedEvents(controlPlane, node.name);
    assert.match(thrice, /AddressNotFound +\S+ \(x3 over \S+\)/);
  });

  /** As kubelet's recorder writes it: core/v1 without an `eventTime`, about the name in place of the UID. */
  async function kubeletSays(node: Node, reason: string, epochMs: number): Promise<void> {
    const time = new Date(epochMs).toISOString().replace(/\.\d+/, '');
    const name = `${node.name}.${(BigInt(epochMs) * 1_000_000n).toString(16)}`;
    const body = {
      metadata: { name, namespace: 'default' },
      involvedObject: { kind: 'Node', name: node.name, uid: node.name },
      source: { component: 'kubelet', host: node.name },
      reportingComponent: 'kubelet',
      reportingInstance: node.name,
      type: 'Normal',
      reason,
      message: `Node ${reason}`,
      firstTimestamp: time,
      lastTimestamp: time,
      count: 1,
    };
    const path = '/api/v1/namespaces/default/events';
    const answer = await request(controlPlane.admin, { method: 'POST', path, body });
    assert.equal(answer.status, 201, answer.text);
  }

  it('are shown by kubectl among kubelet’s in the order in which they were last seen', async () => {
    const node = await nodes.create({ name: 'events-in-order' });
    const clock = virtualClock({ startMs: systemClock.now() - 30 * 60_000 });
    await using recording = await record({ clock });
    // More than a dozen: from there on kubectl's sort does not keep the order of what it takes as equal.
    const reasons = Array.from({ length: 16 }, (_, number) => `Reason${number}`);
    for (const [index, reason] of reasons.entries()) {
      await clock.advance(5_000);
      if (index % 2 === 0) recording.recorder.record(refused(node, { reason }));
      else await kubeletSays(node, reason, clock.now());
    }
    await eventually(async () => (await storedEvents(node)).length === 8);
    const reasonsOf = (lines: readonly string[]): (string | undefined)[] =>
      lines.map((line) => /\bReason\d+\b/.exec(line)?.[0]);
    assert.deepEqual(reasonsOf(await describedEvents(controlPlane, node.name)), reasons);

    await clock.advance(5_000);
    const [renewed = '', ...others] = reasons;
    recording.recorder.record(refused(node, { reason: renewed }));
    await eventually(async () => (await storedEvents(node)).some(({ series }) => series));
    const want = [...others, renewed];
    assert.deepEqual(reasonsOf(await describedEvents(controlPlane, node.name)), want);
    const listed = async (...args: string[]): Promise<string[]> =>
      (await kubectl(controlPlane, ...args)).trimEnd().split('\n').slice(1);
    const ofNode = ['--field-selector', `involvedObject.name=${node.name}`];
    const sorted = ['get', 'events', ...ofNode, '--sort-by=.lastTimestamp'];
    assert.deepEqual(reasonsOf(await listed(...sorted)), want);
    // This one goes by the UID, and kubelet's events do not have it.
    const own = ['events', '--for', `node/${node.name}`];
    assert.deepEqual(reasonsOf(await listed(...own)), [
      ...reasons.filter((_, index) => index % 2 === 0).slice(1),
      renewed,
    ]);
  });

  it('are the same under both groups, with what tools that know no series read', async () => {
    const node = await nodes.create({ name: 'events-both-groups' });
    await using recording = await record();
    for (const count of [1, 2]) {
      recording.recorder.record(refused(node));
      await eventuallyCounted(node, count);
    }
    const { metadata, eventTime, series, note } = await eventuallyCounted(node, 2);
    const path = `/api/v1/namespaces/default/events/${metadata.name}`;
    const core = JSON.parse((await request(controlPlane.admin, { path })).text);
    assert.deepEqual([core.eventTime, core.series, core.message], [eventTime, series, note]);
    assert.deepEqual([core.count, core.firstTimestamp], [2, wholeSeconds(eventTime)]);
    assert.equal(core.lastTimestamp, wholeSeconds(series?.lastObservedTime ?? ''));
  });

  it('start again after they have expired', async () => {
    const node = await nodes.create({ name: 'events-expired' });
    await using recording = await record();
    recording.recorder.record(refused(node));
    const { metadata } = await eventuallyCounted(node, 1);
    recording.recorder.record(refused(node));
    await eventuallyCounted(node, 2);
    const path = `/apis/events.k8s.io/v1/namespaces/default/events/${metadata.name}`;
    await request(controlPlane.admin, { method: 'DELETE', path });
    recording.recorder.record(refused(node));
    const anew = await eventuallyCounted(node, 1);
    assert.ok(anew.metadata.name > metadata.name, 'sorts after the one that expired');
  });

  it('of a successor stand beside those of its predecessor, in order', async () => {
    const node = await nodes.create({ name: 'events-successor' });
    for (const count of [1, 2, 3]) {
      await using recording = await record({ reportingInstance: `manager-${count}` });
      recording.recorder.record(refused(node));
      await eventually(async () => (await storedEvents(node)).length === count);
    }
    assert.deepEqual(
      (await storedEvents(node)).map(({ reportingInstance }) => reportingInstance),
      ['manager-1', 'manager-2', 'manager-3'],
    );
  });

  it('that stand are renewed within an hour', async () => {
    const node = await nodes.create({ name: 'events-standing' });
    const clock = virtualClock({ startMs: systemClock.now() });
    await using recording = await record({ clock });
    recording.recorder.sustain({ ...refused(node), matter: 'node-ip' });
    const { eventTime } = await eventuallyCounted(node, 1);
    // The renewal is planned once the answer is back: time must not pass before.
    await eventually(() => clock.pending === 2);
    await clock.advance(30 * 60_000);
    const { series } = await eventuallyCounted(node, 2);
    const renewedMs = Date.parse(series?.lastObservedTime ?? '') - Date.parse(eventTime);
    assert.ok(renewedMs >= 27 * 60_000 && renewedMs <= 30 * 60_000, `${renewedMs}`);
  });

  it('fit the limits of the server, however long their parts are', async () => {
    const part = 'n'.repeat(60);
    const node = await nodes.create({
      name: `events-long.${part}.${part}.${part}.${part.slice(3)}`,
    });
    assert.ok(node.name.length > 250);
    await using recording = await record({ reportingInstance: 'ü'.repeat(200) });
    recording.recorder.record(
      refused(node, { note: '€'.repeat(1_000), reason: 'R'.repeat(300), action: 'A'.repeat(300) }),
    );
    const stored = await eventuallyCounted(node, 1);
    assert.equal(Buffer.byteLength(stored.note), 1_023);
    assert.deepEqual(recording.log, []);
  });

  async function userWith(user: string, apiGroup: string): Promise<User> {
    const rbac = '/apis/rbac.authorization.k8s.io/v1/namespaces/default';
    const rules = [{ apiGroups: [apiGroup], resources: ['events'], verbs: ['create', 'patch'] }];
    const metadata = { name: user };
    const roleRef = { apiGroup: 'rbac.authorization.k8s.io', kind: 'Role', name: user };
    const subjects = [{ apiGroup: 'rbac.authorization.k8s.io', kind: 'User', name: user }];
    for (const [path, body] of [
      [`${rbac}/roles`, { metadata, rules }],
      [`${rbac}/rolebindings`, { metadata, roleRef, subjects }],
    ] as const) {
      const answer = await request(controlPlane.admin, { method: 'POST', path, body });
      assert.equal(answer.status, 201, answer.text);
    }
    // The authorizer learns of roles by a watch.
    const resourceAttributes = {
      namespace: 'default',
      group: apiGroup,
      resource: 'events',
      verb: 'patch',
    };
    await eventually(async () => {
      const answer = await request(controlPlane.credentialsFor({ user }), {
        method: 'POST',
        path: '/apis/authorization.k8s.io/v1/selfsubjectaccessreviews',
        body: { spec: { resourceAttributes } },
      });
      return JSON.parse(answer.text).status.allowed === true;
    });
    return { user };
  }

  it('are written as events.k8s.io/v1 where core/v1 is forbidden, and shown all the same', async () => {
    const node = await nodes.create({ name: 'events-group' });
    const user = await userWith('events-group-only', 'events.k8s.io');
    await using recording = await record({ kubeconfig: await controlPlane.kubeconfigFor(user) });
    for (const count of [1, 2]) {
      recording.recorder.record(refused(node));
      await eventuallyCounted(node, count);
    }
    assert.deepEqual(recording.log, [
      'Fell back to events.k8s.io/v1 because core/v1 events were refused',
    ]);
    const [shown = ''] = await describedEvents(controlPlane, node.name);
    assert.match(shown, /AddressNotFound +\S+ \(x2 over \S+\) +cloud-node-controller/);
  });

  it('need no more than the rights to create and patch in one group', async () => {
    const node = await nodes.create({ name: 'events-few-rights' });
    const user = await userWith('events-core-only', '');
    await using recording = await record({ kubeconfig: await controlPlane.kubeconfigFor(user) });
    for (const count of [1, 2]) {
      recording.recorder.record(refused(node));
      await eventuallyCounted(node, count);
      assert.deepEqual(recording.log, []);
    }
  });
});

/** The API's `Time` of a `MicroTime`. */
function wholeSeconds(microTime: string): string {
  return microTime.replace(/\.\d+/, '');
}
