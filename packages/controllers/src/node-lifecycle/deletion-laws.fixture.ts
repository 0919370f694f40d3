/**
 * Checks L1 to L3 on every DELETE that a manager sends, against the cloud's recorded answers, the
 * stored node, the manager's reads and the earlier deletions. It shares no code with the decisions.
 * It keeps violations for `verify`, because the manager would take an error thrown here for one of
 * the API server.
 */
import assert from 'node:assert/strict';
import type { LifecycleSettings } from '@tandem/core/lifecycle';
import type { TransportRequest } from '@tandem/kube/transport';
import type { VirtualClock } from '@tandem/runtime/testing';
import type { EmbeddedCluster, StoredObject } from '../../../../test/support/embedded-api.ts';
import type { RecordedAnswer, ScriptedCloud } from './scripted-cloud.fixture.ts';

export interface LawsOf {
  readonly clock: VirtualClock;
  readonly model: EmbeddedCluster;
  readonly cloud: ScriptedCloud;
  readonly settings: LifecycleSettings;
}

export class DeletionLaws {
  readonly #world: LawsOf;
  /** Whether a person has released the brake, so that L3 does not apply. */
  isLifted = false;
  /** Names of the nodes that managers deleted, in order. */
  readonly deleted: string[] = [];
  readonly #broken: unknown[] = [];
  /** Names of the nodes that managers are deleting. */
  readonly #underWay = new Set<string>();
  readonly #deletedAtMs: number[] = [];
  /** When nodes were last Ready, by UID: earlier answers are no evidence. */
  readonly #readyAtMs = new Map<string, number>();
  /** The resourceVersion that a manager last read live, by name. */
  readonly #read = new Map<string, string>();

  constructor(world: LawsOf) {
    this.#world = world;
    world.model.store.onChange((collection, { key, before, after }) => {
      if (collection !== 'nodes') return;
      if (after !== undefined && readyOf(after) === 'True') {
        this.#readyAtMs.set(after.metadata.uid, world.clock.monotonic());
      }
      const isGone = before !== undefined && after === undefined;
      if (isGone && this.#underWay.has(key)) this.#hold(() => this.#deletedOne(before));
    });
  }

  /** Throws the first violation. */
  verify(): void {
    for (const broken of this.#broken) throw broken;
  }

  #hold(law: () => void): void {
    try {
      law();
    } catch (err) {
      this.#broken.push(err);
    }
  }

  /** Called with every request before it reaches the server. */
  sending({ method, path, body }: TransportRequest): void {
    const name = /^\/api\/v1\/nodes\/([^/?]+)(?:\?|$)/.exec(path)?.[1];
    if (name === undefined) return;
    this.#underWay.delete(name);
    const node = this.#world.model.store.collection('nodes').get(name);
    if (method === 'GET') this.#read.set(name, node?.metadata.resourceVersion ?? '');
    if (method !== 'DELETE') return;
    this.#hold(() => {
      const { preconditions } = JSON.parse(String(body));
      assert.ok(preconditions.uid, 'L2: a delete carries a UID');
      assert.equal(preconditions.resourceVersion, this.#read.get(name), 'L1: confirmed by a read');
    });
    this.#underWay.add(name);
  }

  #deletedOne(node: StoredObject): void {
    const { name, uid, creationTimestamp, annotations } = node.metadata;
    const { settings, clock, cloud } = this.#world;
    this.deleted.push(name);
    this.#deletedAtMs.push(clock.monotonic());
    assert.notEqual(readyOf(node), 'True', `L1: ${name} was Ready`);
    assert.notEqual(annotations?.['tandem.dev/paused'], 'true', `${name} was paused`);
    assert.equal(node.metadata['deletionTimestamp'], undefined, `${name} was being deleted`);
    const providerID = providerIDOf(node);
    const wasFound = cloud.answers.some((said) => said.uid === uid && said.kind === 'found');
    const isOwned =
      providerID === '' ? isTainted(node) && wasFound : providerID.startsWith('test://');
    assert.ok(isOwned, `${name} was not ours`);
    const ageMs = clock.now() - Date.parse(creationTimestamp);
    const ofAgeMs = clock.monotonic() - ageMs + settings.minAgeMs;
    const fromMs = Math.max(ofAgeMs, this.#readyAtMs.get(uid) ?? ofAgeMs);
    const times = absences(cloud.answers, { uid, providerID, fromMs });
    const lengthMs = (times.at(-1) ?? 0) - (times[0] ?? 0);
    assert.ok(
      times.length >= 2 && lengthMs >= settings.graceMs,
      `L1: ${name} after ${lengthMs} ms`,
    );
    this.#holdBrake();
  }

  /** Counts the recent deletions and the stored nodes. */
  #holdBrake(): void {
    const { brake } = this.#world.settings;
    if (this.isLifted || brake === undefined) return;
    const sinceMs = this.#world.clock.monotonic() - brake.windowMs;
    const recent = this.#deletedAtMs.filter((atMs) => atMs >= sinceMs).length;
    const all = this.#world.model.store.collection('nodes').list().length + recent;
    const limit = Math.max(brake.nodes, all * brake.share);
    assert.ok(recent <= limit, `L3: ${recent} of ${all} were deleted`);
  }
}

/** The times of the authoritative absences since the cloud last found the instance. */
function absences(
  said: readonly RecordedAnswer[],
  about: { uid: string; providerID: string; fromMs: number },
): number[] {
  const ours = said.filter(
    ({ uid, providerID }) => uid === about.uid && providerID === about.providerID,
  );
  const lastFound = ours.findLastIndex(({ kind }) => kind === 'found');
  return ours
    .slice(lastFound + 1)
    .filter(({ kind, freshness }) => kind === 'absent' && freshness === 'authoritative')
    .map(({ atMs }) => atMs)
    .filter((atMs) => atMs >= about.fromMs);
}

function readyOf(node: StoredObject): string | undefined {
  const status = node['status'] as { conditions?: { type: string; status: string }[] };
  return status.conditions?.find(({ type }) => type === 'Ready')?.status;
}

function providerIDOf(node: StoredObject): string {
  return (node['spec'] as { providerID?: string }).providerID ?? '';
}

function isTainted(node: StoredObject): boolean {
  const { taints = [] } = node['spec'] as { taints?: { key: string }[] };
  return taints.some(({ key }) => key === 'node.cloudprovider.kubernetes.io/uninitialized');
}
