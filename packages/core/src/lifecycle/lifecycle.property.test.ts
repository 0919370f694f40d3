/**
 * Rules of deletion for random nodes, histories and clusters, each against a second implementation
 * that is simple and slow.
 */
import assert from 'node:assert/strict';
import * as fc from 'fast-check';
import { isInitialised, pausedAnnotation, uninitializedTaint } from '../node-init/index.ts';
import { shutdownTaint } from './action.ts';
import { type BrakeInput, judgeBrake } from './brake.ts';
import { type LifecycleAnswer, noEvidence, withAnswer } from './evidence.ts';
import { autoscalerTaint, type LifecycleNode } from './node.ts';
import { planLifecycle } from './plan.ts';
import { assertHits } from '../../../../test/support/hits.ts';

const runs = { numRuns: 1_000 };

const taint = fc.record({
  key: fc.constantFrom(uninitializedTaint, autoscalerTaint, shutdownTaint.key, 'other'),
  effect: fc.constantFrom('NoSchedule', 'NoSchedule', 'NoExecute'),
});
interface Seen {
  readonly node: LifecycleNode;
  /** Whether the instance of this Node was found before. */
  readonly wasFound: boolean;
  /** Whether the cloud's last answer was that the node is not its own. */
  readonly isNotOurs: boolean;
}
const node: fc.Arbitrary<LifecycleNode> = fc.record({
  name: fc.constant('node-0'),
  uid: fc.constantFrom('a', 'a', 'a', 'a', 'b'),
  providerID: fc.constantFrom('cloud://0', 'cloud://0', 'cloud://0', '', 'other://0'),
  readyStatus: fc.constantFrom('True', 'False', 'Unknown', 'Unknown', undefined),
  isBeingDeleted: fc.constantFrom(false, false, false, true),
  taints: fc.array(taint, { maxLength: 2 }),
  annotations: fc
    .constantFrom('', '', '', 'true', 'false')
    .map((value): Record<string, string> => (value === '' ? {} : { [pausedAnnotation]: value })),
});

const seen: fc.Arbitrary<Seen> = fc.record({
  node,
  wasFound: fc.boolean(),
  isNotOurs: fc.constantFrom(false, false, false, true),
});

/** The answers about a node, with times that never decrease, and the rules. */
interface History {
  readonly answers: readonly LifecycleAnswer[];
  readonly graceMs: number;
  readonly countsFromMs: number;
  readonly gapMsMax: number;
}
const word = fc.oneof(
  { weight: 6, arbitrary: fc.constant('authoritative' as const) },
  { weight: 3, arbitrary: fc.constantFrom('running' as const, 'stopped' as const) },
  fc.constantFrom('cached' as const, 'unknown' as const, 'notOurs' as const),
);
const history: fc.Arbitrary<History> = fc
  .record({
    words: fc.array(fc.tuple(fc.nat({ max: 6 }), word), { minLength: 1, maxLength: 8 }),
    graceMs: fc.constantFrom(0, 4, 8),
    countsFromMs: fc.constantFrom(0, 0, 5),
    gapMsMax: fc.constantFrom(4, 6, 20),
  })
  .map(({ words, ...rules }) => {
    let nowMs = 0;
    const answers = words.map(([laterMs, said]): LifecycleAnswer => {
      nowMs += laterMs;
      if (said === 'unknown') return { kind: 'unknown', reason: 'throttled' };
      if (said === 'notOurs') return { kind: 'notOurs' };
      if (said === 'running' || said === 'stopped') return { kind: 'found', state: said };
      return { kind: 'absent', freshness: said, asOfMs: nowMs };
    });
    return { answers, ...rules };
  });

/** Whether the history alone justifies a deletion. Reads all of it, from its end. */
function naivelyGone({ answers, graceMs, countsFromMs, gapMsMax }: History): boolean {
  const times: number[] = [];
  const backwards = [...answers].toReversed();
  const [last] = backwards;
  if (last?.kind !== 'absent' || last.freshness === 'cached') return false;
  for (const answer of backwards) {
    if (answer.kind === 'found' || answer.kind === 'notOurs') break;
    if (answer.kind !== 'absent' || answer.freshness === 'cached') continue;
    if (answer.asOfMs < countsFromMs) break;
    const later = times.at(-1) ?? answer.asOfMs;
    if (later - answer.asOfMs > gapMsMax) break;
    times.push(answer.asOfMs);
  }
  const lengthMs = Math.max(...times, 0) - Math.min(...times, Math.max(...times, 0));
  return lengthMs > 0 && lengthMs >= graceMs;
}

function decide(one: Seen, told: History, about = { uid: 'a', providerID: one.node.providerID }) {
  const evidence = told.answers.reduce(
    (before, answer) => withAnswer(before, answer, told),
    noEvidence(about),
  );
  return planLifecycle({
    ...one,
    owns: (providerID) => providerID.startsWith('cloud://'),
    evidence,
    answer: told.answers.at(-1) ?? null,
    settings: told,
  });
}

function mayBeDeleted({ node: one, wasFound, isNotOurs }: Seen): boolean {
  const { uid, providerID, readyStatus, ...rest } = one;
  const isProven = providerID === '' && !isInitialised(rest) && wasFound;
  const isOurs = !isNotOurs && (providerID === 'cloud://0' || isProven);
  const isPaused = rest.annotations[pausedAnnotation] === 'true';
  return uid === 'a' && isOurs && readyStatus !== 'True' && !rest.isBeingDeleted && !isPaused;
}

describe('for any node and any history of answers', () => {
  it('the node is deleted exactly if it may be and the whole history shows that it is gone', () => {
    fc.assert(
      fc.property(seen, history, (one, told) => {
        const isDeleted = decide(one, told).actions.some(({ kind }) => kind === 'deleteNode');
        assert.equal(isDeleted, mayBeDeleted(one) && naivelyGone(told));
      }),
      runs,
    );
  });

  it('nothing is done to a node that the cloud reports as not its own', () => {
    assertHits(50, (hit) =>
      fc.assert(
        fc.property(seen, history, (one, told) => {
          const saysSo = told.answers.at(-1)?.kind === 'notOurs';
          // The controller has stored the last answer when it plans.
          const { actions } = decide({ ...one, isNotOurs: one.isNotOurs || saysSo }, told);
          if (!one.isNotOurs && !saysSo) return;
          hit();
          assert.deepEqual(actions, []);
        }),
        runs,
      ),
    );
  });

  it('errors alone delete nothing and change nothing (P3)', () => {
    assertHits(50, (hit) =>
      fc.assert(
        fc.property(seen, fc.nat({ max: 5 }), (one, count) => {
          const answers = Array.from({ length: count + 1 }, () => ({
            kind: 'unknown' as const,
            reason: 'down',
          }));
          const told = { answers, graceMs: 0, countsFromMs: 0, gapMsMax: 20 };
          const { actions } = decide(one, told);
          if (one.node.readyStatus === 'True') return;
          hit();
          assert.deepEqual(actions, []);
        }),
        runs,
      ),
    );
  });

  it('a node needs no further action after the action for its taint (P5)', () => {
    assertHits(15, (hit) =>
      fc.assert(
        fc.property(seen, history, (one, told) => {
          const [action] = decide(one, told).actions;
          const others = one.node.taints.filter(({ key }) => key !== shutdownTaint.key);
          if (action === undefined || action.kind === 'deleteNode') return;
          hit();
          const isAdded = action.kind === 'addShutdownTaint';
          const taints = isAdded ? [...one.node.taints, shutdownTaint] : others;
          const after = { ...one, node: { ...one.node, taints } };
          assert.deepEqual(decide(after, told).actions, []);
        }),
        runs,
      ),
    );
  });

  it('each outcome is frequent, so that the properties above have cases', () => {
    const ends = new Map<string, number>();
    const drawn = fc.sample(fc.tuple(seen, history), { ...runs, seed: 1 });
    for (const [one, told] of drawn) {
      const { actions, outcome } = decide(one, told);
      for (const key of [outcome.kind, ...actions.map(({ kind }) => kind)]) {
        ends.set(key, (ends.get(key) ?? 0) + 1);
      }
    }
    for (const end of ['deleteNode', 'addShutdownTaint', 'removeShutdownTaint', 'doubtful']) {
      assert.ok((ends.get(end) ?? 0) > 20, `${end}: ${ends.get(end)}`);
    }
  });
});

const uid = fc.integer({ min: 0, max: 30 }).map((number) => `uid-${number}`);
const brakeInput: fc.Arbitrary<BrakeInput> = fc
  .record({
    absent: fc.uniqueArray(uid, { maxLength: 20 }).map((uids) => new Set(uids)),
    deletions: fc.uniqueArray(fc.record({ uid, atMs: fc.nat({ max: 100 }) }), {
      maxLength: 10,
      selector: (deletion) => deletion.uid,
    }),
    others: fc.nat({ max: 60 }),
    nowMs: fc.constant(100),
    settings: fc.record({
      nodes: fc.nat({ max: 8 }),
      share: fc.constantFrom(0, 0.1, 0.2, 0.29, 0.5, 1),
      windowMs: fc.nat({ max: 100 }),
    }),
  })
  .map(({ others, ...input }) => ({ ...input, owned: input.absent.size + others }));

/** Lists all missing nodes by name and counts in percent. */
function naivelyHolds({ absent, deletions, owned, nowMs, settings }: BrakeInput): boolean {
  if (settings === undefined) return false;
  const missing: string[] = [...absent];
  let all = owned;
  for (const deletion of deletions) {
    if (nowMs - deletion.atMs > settings.windowMs || missing.includes(deletion.uid)) continue;
    missing.push(deletion.uid);
    all += 1;
  }
  const percent = Math.round(settings.share * 100);
  return missing.length > settings.nodes && missing.length * 100 > all * percent;
}

describe('for any set of absent nodes', () => {
  it('the brake holds exactly if their number is above both limits', () => {
    fc.assert(
      fc.property(brakeInput, (input) => {
        assert.equal(judgeBrake(input).isEngaged, naivelyHolds(input));
      }),
      runs,
    );
  });

  it('deleting the nodes that the brake allows does not engage it, and stays within the limit', () => {
    assertHits(50, (hit) =>
      fc.assert(
        fc.property(brakeInput, (input) => {
          const before = judgeBrake(input);
          if (before.isEngaged) return;
          if (input.absent.size > 0) hit();
          const deletions = [
            ...input.deletions.filter((one) => !input.absent.has(one.uid)),
            ...[...input.absent].map((gone) => ({ uid: gone, atMs: input.nowMs })),
          ];
          const owned = input.owned - input.absent.size;
          const after = judgeBrake({ ...input, absent: new Set(), deletions, owned });
          assert.equal(after.isEngaged, false);
          assert.deepEqual([after.absent, after.owned], [before.absent, before.owned]);
          assert.ok(after.absent <= after.limit);
        }),
        runs,
      ),
    );
  });
});
