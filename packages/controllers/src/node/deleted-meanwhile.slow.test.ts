/**
 * A node is deleted while the controller writes to it: before any call, after its effect or after
 * its answer, with or without a namesake in its place, and with every outcome of the write. The
 * controller forgets the node (M6), and sends no event about it once it has seen the deletion.
 */
import assert from 'node:assert/strict';
import { TransportError, type TransportRequest } from '@tandem/kube/transport';
import { sleep } from '@tandem/runtime';
import { textAt } from '../../../../test/support/embedded-api.ts';
import type { Manager } from './manager.fixture.ts';
import { intercepting, type Interception, isWrite, refusal } from './transports.fixture.ts';
import { NodeWorld } from './node-world.fixture.ts';

/** The outcomes of a write, in place of the API server's own answer. */
const outcomes = {
  applied: (_, pass) => pass(),
  refused: async () =>
    refusal({
      code: 422,
      reason: 'Invalid',
      message: 'Node "a" is invalid',
      causes: [{ field: 'metadata.labels', message: 'Invalid value' }],
    }),
  denied: async () =>
    refusal({
      code: 403,
      reason: 'Forbidden',
      message: 'nodes "a" is forbidden: User "ccm" cannot patch resource "nodes"',
    }),
  unknown: async (_, pass) => {
    await pass();
    throw lost();
  },
  'unknown and cannot be read back': async (_, pass) => {
    await pass();
    throw lost();
  },
  unreached: async () => {
    throw lost('none');
  },
  'guard failed': async () =>
    refusal({ code: 422, reason: 'Invalid', message: 'the server rejected our request' }),
} satisfies Record<string, Interception>;

type Outcome = keyof typeof outcomes;

const moments = ['before the call', 'after its effect', 'after its answer'] as const;

interface Case {
  readonly outcome: Outcome;
  /** The first write with this outcome; earlier writes are stored. */
  readonly fromWrite: number;
  /** The call about the node, counted from 1, at which the node is deleted. */
  readonly atCall: number;
  readonly moment: (typeof moments)[number];
  readonly isRegisteredAgain: boolean;
}

/** Longer than the cache takes to show a deletion. */
const answerMs = 50;
const stepMs = 1_000;
/** Longer than the time limit of a write: every write in flight has ended. */
const underWayMs = 12_000;
/** Longer than any delay between two tries. */
const settleMs = 90_000;
/** Twice the time after which an active event is renewed. */
const renewalsMs = 60 * 60_000;
const callsMax = 7;

describe('a node that is deleted while it is written to', () => {
  for (const outcome of Object.keys(outcomes) as Outcome[]) {
    for (const isRegisteredAgain of [false, true]) {
      const after = isRegisteredAgain ? ' and registered again' : '';
      it(`is forgotten${after}, with the outcome: ${outcome}`, async () => {
        for (const fromWrite of [1, 2]) {
          for (let atCall = 1; atCall <= callsMax; atCall++) {
            for (const moment of moments) {
              await live({ outcome, fromWrite, atCall, moment, isRegisteredAgain });
            }
          }
        }
      });
    }
  }
});

async function live(given: Case): Promise<void> {
  const world = new NodeWorld();
  world.addMachine({ name: 'a', uid: 'uid-gone' });
  const said = listenTo(world, 'uid-gone');
  const { manager, hasDeleted, end } = start(world, given);
  for (let ms = 0; ms < settleMs && !hasDeleted(); ms += stepMs) await world.clock.advance(stepMs);
  // Some outcomes need fewer calls. Then the node is deleted here, with no call in flight.
  const deletedAtMs = end();
  const told = JSON.stringify(given);
  await world.clock.advance(underWayMs);
  if (!given.isRegisteredAgain) assert.equal(manager.controller.remembered, 0, told);
  await world.clock.advance(settleMs);
  assert.equal(manager.controller.remembered, given.isRegisteredAgain ? 1 : 0, told);
  await world.clock.advance(renewalsMs);
  const late = said.filter(({ atMs }) => atMs > deletedAtMs + answerMs / 2);
  assert.deepEqual(late, [], told);
  if (given.isRegisteredAgain) assert.ok(world.node('a').isInitialised, told);
}

interface Started {
  readonly manager: Manager;
  readonly hasDeleted: () => boolean;
  /** Deletes the node unless it is deleted, and returns the time of the deletion. */
  readonly end: () => number;
}

/** Starts a manager, and deletes the node at the given call. */
function start(world: NodeWorld, given: Case): Started {
  let calls = 0;
  let writes = 0;
  let deletedAtMs: number | undefined;
  const deleteNode = (): void => {
    deletedAtMs = world.clock.monotonic();
    world.removeNode('a');
    if (given.isRegisteredAgain) world.addNode({ name: 'a', uid: 'uid-again' });
  };
  const answer = (request: TransportRequest, pass: () => ReturnType<Interception>) => {
    const isHarmed = deletedAtMs === undefined || writesTo('uid-gone', request);
    if (isWrite(request)) writes++;
    const isTarget = isWrite(request) || given.outcome === 'unknown and cannot be read back';
    const isTurn = isHarmed && isTarget && writes >= given.fromWrite;
    return isTurn ? outcomes[given.outcome](request, pass) : pass();
  };
  const manager = world.start({
    refreshPeriodMs: renewalsMs,
    wrap: intercepting(async (request, pass) => {
      if (!request.path.startsWith('/api/v1/nodes/a')) return pass();
      const isNow = deletedAtMs === undefined && ++calls === given.atCall;
      if (!isNow) return answer(request, pass);
      if (given.moment === 'after its answer') {
        world.clock.after(0, deleteNode);
        return answer(request, pass);
      }
      if (given.moment === 'before the call') deleteNode();
      const answered = await Promise.allSettled([answer(request, pass)]);
      if (given.moment === 'after its effect') deleteNode();
      await sleep(world.clock, answerMs);
      const [end] = answered;
      if (end.status === 'rejected') throw end.reason;
      return end.value;
    }),
  });
  return {
    manager,
    hasDeleted: () => deletedAtMs !== undefined,
    end() {
      if (deletedAtMs === undefined) deleteNode();
      return deletedAtMs ?? 0;
    },
  };
}

function writesTo(uid: string, { body }: TransportRequest): boolean {
  return String(body).includes(uid);
}

/** The events about a node, with their times. */
function listenTo(
  world: NodeWorld,
  uid: string,
): { readonly atMs: number; readonly what: string }[] {
  const said: { atMs: number; what: string }[] = [];
  world.model.store.onChange((collection, { after }) => {
    if (collection !== 'events' || after === undefined) return;
    if (!JSON.stringify(after['involvedObject']).includes(uid)) return;
    said.push({ atMs: world.clock.monotonic(), what: textAt(after, 'reason') });
  });
  return said;
}

function lost(effect: 'unknown' | 'none' = 'unknown'): TransportError {
  const code = effect === 'none' ? 'ConnectionRefused' : 'ConnectionLost';
  return new TransportError('The connection was cut', { code, retry: 'backoff', effect });
}
