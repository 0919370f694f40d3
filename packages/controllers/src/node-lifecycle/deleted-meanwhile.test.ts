/**
 * Another client deletes a node while the controller looks it up, taints, holds or deletes it: before any
 * call, after its effect or after its answer, with or without a namesake in its place. The node has
 * no active event afterwards, and the controller sends none once the cache shows that the node is
 * gone.
 */
import assert from 'node:assert/strict';
import { TransportError, type KubeTransport } from '@tandem/kube/transport';
import { sleep } from '@tandem/runtime';
import { LifecycleWorld } from './lifecycle-world.fixture.ts';
import type { NodeLifecycleControllerOptions } from './options.ts';
import { providerIDOf } from './scripted-cloud.fixture.ts';

const moments = ['before the call', 'after its effect', 'after its answer'] as const;

interface Story {
  readonly name: string;
  readonly nodes: number;
  /** The state of their instances. */
  readonly machines: 'lost' | 'stopped';
  /** The error of the API server for a request, if any. */
  readonly fault?: (method: string) => Error | undefined;
}

const stories: readonly Story[] = [
  { name: 'held by the brake', nodes: 7, machines: 'lost' },
  { name: 'deleted', nodes: 1, machines: 'lost' },
  {
    name: 'deleted by a call that fails',
    nodes: 1,
    machines: 'lost',
    fault: (method) => (method === 'DELETE' ? lost() : undefined),
  },
  { name: 'tainted', nodes: 1, machines: 'stopped' },
];

interface Case extends Story {
  readonly atCall: number;
  readonly moment: (typeof moments)[number];
  readonly isRegisteredAgain: boolean;
}

/** Longer than the cache takes to show a deletion. */
const answerMs = 50;
const callsMax = 8;

describe('a node that another client deletes', () => {
  for (const story of stories) {
    for (const isRegisteredAgain of [false, true]) {
      const after = isRegisteredAgain ? ', and registers again,' : '';
      it(`while it is ${story.name}${after} gets no further event`, async () => {
        for (let atCall = 1; atCall <= callsMax; atCall++) {
          for (const moment of moments) await live({ ...story, atCall, moment, isRegisteredAgain });
        }
      });
    }
  }
});

async function live(given: Case): Promise<void> {
  const world = new LifecycleWorld();
  const names = world.addNodes(given.nodes);
  for (const name of names) {
    if (given.machines === 'lost') world.cloud.remove(providerIDOf(name));
    else world.cloud.set(providerIDOf(name), 'stopped');
  }
  let deletedAtMs: number | undefined;
  const deleteNode = (): void => {
    if (!world.names().includes('node-0') || deletedAtMs !== undefined) return;
    deletedAtMs = world.clock.monotonic();
    world.model.store.collection('nodes').remove('node-0');
    if (given.isRegisteredAgain) world.addNode({ name: 'node-0', uid: 'uid-again', ready: 'True' });
  };
  world.wrap = (inner) => meeting(world, given, { inner, deleteNode });
  const { recorder, said, standing } = listening(world);
  const manager = world.start({ recorder });
  await world.clock.advance(2 * 60_000);
  deleteNode();
  await world.clock.advance(60_000);
  const told = JSON.stringify(given);
  const isGone = (uid: string): boolean => uid === 'uid-node-0';
  assert.deepEqual([...standing].filter(isGone), [], told);
  const heardAtMs = (deletedAtMs ?? Number.POSITIVE_INFINITY) + answerMs / 2;
  assert.deepEqual(
    said.filter(({ uid, atMs }) => isGone(uid) && atMs > heardAtMs),
    [],
    told,
  );
  await manager.stop();
}

/**
 * Deletes the node at the call of the case, and delays the answer until the cache shows the
 * deletion.
 */
function meeting(
  world: LifecycleWorld,
  { atCall, moment, fault }: Case,
  { inner, deleteNode }: { readonly inner: KubeTransport; readonly deleteNode: () => void },
): KubeTransport {
  let calls = 0;
  return {
    async send(request) {
      const isList = /[?&](?:watch|limit)=/.test(request.path);
      if (isList) return inner.send(request);
      const isNow = ++calls === atCall;
      if (isNow && moment === 'before the call') deleteNode();
      const [end] = await Promise.allSettled([inner.send(request)]);
      if (isNow && moment === 'after its effect') deleteNode();
      if (isNow && moment === 'after its answer') world.clock.after(0, deleteNode);
      else if (isNow) await sleep(world.clock, answerMs);
      const err = fault?.(request.method) ?? (end.status === 'rejected' ? end.reason : undefined);
      if (err !== undefined || end.status === 'rejected') throw err;
      return end.value;
    },
    close: () => inner.close(),
  };
}

/** A recorder that keeps the events with their times. */
function listening(world: LifecycleWorld): {
  readonly recorder: NodeLifecycleControllerOptions['recorder'];
  readonly said: { readonly uid: string; readonly reason: string; readonly atMs: number }[];
  readonly standing: Set<string>;
} {
  const said: { uid: string; reason: string; atMs: number }[] = [];
  const standing = new Set<string>();
  const tell = ({ uid, reason }: { uid: string; reason: string }): void =>
    void said.push({ uid, reason, atMs: world.clock.monotonic() });
  return {
    said,
    standing,
    recorder: {
      record: ({ regarding, reason }) => tell({ uid: regarding.uid, reason }),
      sustain({ regarding, reason }) {
        standing.add(regarding.uid);
        tell({ uid: regarding.uid, reason });
      },
      end: ({ uid }) => void standing.delete(uid),
      forget: (uid) => void standing.delete(uid),
    },
  };
}

function lost(): TransportError {
  const facts = { code: 'ConnectionLost', retry: 'backoff', effect: 'unknown' } as const;
  return new TransportError('The connection was cut', facts);
}
