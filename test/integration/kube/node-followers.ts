/**
 * Two informers that follow the nodes of a real API server, one in each encoding, over a connection that a test can
 * cut while the server keeps running.
 */
import assert from 'node:assert/strict';
import { createKubeClient } from '@tandem/kube/client';
import { type Encoding } from '@tandem/kube/codec';
import { createNodeReader, type NodeProjection } from '@tandem/kube/node';
import { loadCredentials } from '@tandem/kube/credentials';
import { Informer, type InformerLimits } from '@tandem/kube/informer';
import { createTransport, type KubeTransport, TransportError } from '@tandem/kube/transport';
import { createLogger, createMetrics, systemClock, systemRandom } from '@tandem/runtime';
import { type ControlPlane, eventually, requestOk } from '../../control-plane/index.ts';

interface Follower {
  readonly encoding: Encoding;
  readonly informer: Informer<NodeProjection>;
  /** The nodes as a subscriber knows them from changes alone, by name. */
  readonly told: Map<string, NodeProjection>;
  /** How often a list or a watch ended like this. */
  endings(ending: string): Promise<number>;
}

export interface NodeFollowers {
  readonly followers: readonly Follower[];
  /** While the connection is cut, requests fail immediately or wait until it is restored. */
  cut(asked: 'is refused' | 'waits'): Promise<void>;
  mend(): void;
  /** Waits until both informers and their subscribers have exactly the nodes of the server. */
  untilEqual(): Promise<void>;
  stop(): Promise<void>;
}

export async function followNodes(
  controlPlane: ControlPlane,
  limits: Partial<InformerLimits> = {},
  kubeconfig: string = controlPlane.kubeconfig,
): Promise<NodeFollowers> {
  const line = await cuttableLine(kubeconfig);
  const stopping = new AbortController();
  const followers = (['protobuf', 'json'] as const).map((encoding) =>
    follow(line.transport, { encoding, limits: { ...quickly, ...limits } }),
  );
  const running = followers.map(({ informer }) => informer.run(stopping.signal));
  await Promise.all(followers.map(({ informer }) => informer.whenSynced(stopping.signal)));
  return {
    followers,
    cut: (asked) => line.cut(asked),
    mend: () => line.mend(),
    async untilEqual() {
      await eventually(() => isEqual(controlPlane, followers), { withinMs: 45_000 });
    },
    async stop() {
      stopping.abort();
      await Promise.all(running);
      await line.close();
    },
  };
}

/** The user agent of the informers in the audit log. */
export const userAgent = 'informer-test';

/** Seconds where a manager waits for minutes. */
const quickly: Partial<InformerLimits> = {
  silenceMs: 4_000,
  listSilenceMs: 8_000,
  answerMs: 4_000,
  retryDelayMsMin: 100,
  retryDelayMsMax: 1_000,
};

function follow(
  transport: KubeTransport,
  { encoding, limits }: { readonly encoding: Encoding; readonly limits: Partial<InformerLimits> },
): Follower {
  const metrics = createMetrics();
  const ports = { clock: systemClock, random: systemRandom };
  const informer = new Informer({
    ...ports,
    client: createKubeClient({ ...ports, transport, metrics }),
    logger: createLogger({ clock: systemClock, level: 'error' }),
    metrics,
    resource: { group: '', version: 'v1', resource: 'nodes' },
    reader: createNodeReader(),
    encoding,
    limits,
  });
  const told = new Map<string, NodeProjection>();
  informer.subscribe((change) => {
    const { name, uid } = change.kind === 'updated' ? change.before : change.object;
    if (change.kind !== 'added') assert.equal(told.get(name)?.uid, uid, `told wrongly of ${name}`);
    if (change.kind === 'added') assert.ok(!told.has(name), `told twice of ${name}`);
    if (change.kind === 'deleted') told.delete(name);
    else told.set(name, change.kind === 'added' ? change.object : change.after);
  });
  return {
    encoding,
    informer,
    told,
    async endings(ending) {
      const text = await metrics.render();
      const line = new RegExp(
        `^tandem_informer_endings_total\\{.*ending="${ending}"\\} (\\d+)$`,
        'm',
      );
      return Number(line.exec(text)?.[1] ?? 0);
    },
  };
}

/** A transport to the server that can be cut, as by a network. */
async function cuttableLine(kubeconfig: string) {
  const credentials = await loadCredentials({ kubeconfig, environment: {}, clock: systemClock });
  const dial = (): KubeTransport => createTransport({ credentials, userAgent });
  let current = dial();
  let cut: { readonly asked: string; readonly mended: PromiseWithResolvers<void> } | undefined;
  const transport: KubeTransport = {
    async send(message) {
      if (cut?.asked === 'waits') await cut.mended.promise;
      if (cut === undefined) return current.send(message);
      const facts = { code: 'ConnectionFailed', retry: 'backoff', effect: 'none' } as const;
      throw new TransportError('The line is cut', facts);
    },
    close: () => current.close(),
  };
  return {
    transport,
    async cut(asked: 'is refused' | 'waits') {
      cut = { asked, mended: Promise.withResolvers() };
      await current.close();
    },
    mend() {
      current = dial();
      cut?.mended.resolve();
      cut = undefined;
    },
    close: () => transport.close(),
  };
}

/** Returns true, or fails with the difference. */
async function isEqual(controlPlane: ControlPlane, followers: readonly Follower[]): Promise<true> {
  const answer = await requestOk(controlPlane.admin, { path: '/api/v1/nodes' });
  const { items }: { items: readonly unknown[] } = JSON.parse(answer.text);
  const reader = createNodeReader();
  const listed = byName(items.map((item) => reader.fromJson(item)));
  for (const { informer, told, encoding } of followers) {
    assert.deepEqual(byName(informer.list()), listed, `the cache in ${encoding}`);
    const wanted = listed.map(withoutVersion);
    assert.deepEqual(byName(told.values()).map(withoutVersion), wanted, `told in ${encoding}`);
  }
  return true;
}

function byName(nodes: Iterable<NodeProjection>): NodeProjection[] {
  return [...nodes].toSorted((a, b) => (a.name < b.name ? -1 : 1));
}

/** Subscribers get no change for a new version that changed nothing else. */
function withoutVersion(node: NodeProjection): object {
  return { ...node, resourceVersion: '' };
}

export async function createNode(controlPlane: ControlPlane, name: string): Promise<void> {
  const body = { metadata: { name }, spec: { providerID: `static:///${name}` } };
  await requestOk(controlPlane.admin, { method: 'POST', path: '/api/v1/nodes', body });
}

export async function deleteNode(controlPlane: ControlPlane, name: string): Promise<void> {
  await requestOk(controlPlane.admin, { method: 'DELETE', path: `/api/v1/nodes/${name}` });
}

export async function labelNode(
  controlPlane: ControlPlane,
  name: string,
  value: string,
): Promise<void> {
  await requestOk(controlPlane.admin, {
    method: 'PATCH',
    path: `/api/v1/nodes/${name}`,
    contentType: 'application/merge-patch+json',
    body: { metadata: { labels: { changed: value } } },
  });
}
