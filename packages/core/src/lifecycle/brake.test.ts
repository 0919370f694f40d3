import assert from 'node:assert/strict';
import { uninitializedTaint } from '../node-init/index.ts';
import { type BrakeInput, countsForBrake, judgeBrake } from './brake.ts';
import { aNode } from './lifecycle.fixture.ts';
import { autoscalerTaint, type LifecycleNode } from './node.ts';

const uids = (count: number): Set<string> =>
  new Set(Array.from({ length: count }, (_, index) => `uid-${index}`));

const anInput = (input: Partial<BrakeInput> = {}): BrakeInput => ({
  absent: uids(0),
  deletions: [],
  owned: 100,
  nowMs: 1_000_000,
  settings: { nodes: 5, share: 0.2, windowMs: 600_000 },
  ...input,
});

const deleted = (count: number, agoMs: number): BrakeInput['deletions'] =>
  [...uids(count)].map((uid) => ({ uid: `deleted-${uid}`, atMs: 1_000_000 - agoMs }));

describe('the deletion brake', () => {
  const cases: { name: string; given: Partial<BrakeInput>; want: boolean }[] = [
    { name: 'is not engaged while no node is absent', given: {}, want: false },
    {
      name: 'allows five nodes of a small cluster',
      given: { absent: uids(5), owned: 5 },
      want: false,
    },
    { name: 'holds six of six', given: { absent: uids(6), owned: 6 }, want: true },
    { name: 'allows a fifth of a large cluster', given: { absent: uids(20) }, want: false },
    { name: 'holds more than a fifth', given: { absent: uids(21) }, want: true },
    {
      name: 'counts deletions within the window',
      given: { absent: uids(1), deletions: deleted(25, 600_000), owned: 75 },
      want: true,
    },
    {
      name: 'does not count deletions before the window',
      given: { absent: uids(1), deletions: deleted(25, 600_001), owned: 75 },
      want: false,
    },
    {
      name: 'counts a deleted node once that is still in the cache',
      given: {
        absent: uids(20),
        deletions: [...uids(20)].map((uid) => ({ uid, atMs: 1_000_000 })),
      },
      want: false,
    },
    {
      name: 'counts deleted nodes in the total, so that deletions do not raise the share',
      given: { absent: uids(10), deletions: deleted(10, 0), owned: 90 },
      want: false,
    },
    {
      name: 'is exact at a share that floating-point numbers cannot represent',
      given: { absent: uids(29), settings: { nodes: 5, share: 0.29, windowMs: 1 } },
      want: false,
    },
    {
      name: 'never holds with a share of one',
      given: { absent: uids(100), settings: { nodes: 0, share: 1, windowMs: 1 } },
      want: false,
    },
    {
      name: 'holds the first node with limits of zero',
      given: { absent: uids(1), settings: { nodes: 0, share: 0, windowMs: 1 } },
      want: true,
    },
    {
      name: 'never holds if it is switched off',
      given: { absent: uids(100), settings: undefined },
      want: false,
    },
  ];
  for (const { name, given, want } of cases) {
    it(name, () => assert.equal(judgeBrake(anInput(given)).isEngaged, want));
  }

  it('returns the numbers of absent, owned and recently deleted nodes, and the limit', () => {
    const verdict = judgeBrake(anInput({ absent: uids(30), deletions: deleted(2, 0), owned: 98 }));
    assert.deepEqual(verdict, {
      isEngaged: true,
      absent: 32,
      owned: 100,
      deletedRecently: 2,
      limit: 20,
    });
  });
});

describe('a node counts for the brake', () => {
  const taint = (key: string): Partial<LifecycleNode> => ({
    taints: [{ key, effect: 'NoSchedule' }],
  });
  const cases: {
    name: string;
    node: Partial<LifecycleNode>;
    wasFound?: boolean;
    isNotOurs?: boolean;
    want: boolean;
  }[] = [
    { name: 'when it is ours', node: {}, want: true },
    { name: 'even when it is Ready', node: { readyStatus: 'True' }, want: true },
    { name: 'not when it is of another cloud', node: { providerID: 'other://0' }, want: false },
    { name: 'not when it is being deleted', node: { isBeingDeleted: true }, want: false },
    { name: 'not when the autoscaler removes it', node: taint(autoscalerTaint), want: false },
    {
      name: 'not when Karpenter removes it',
      node: taint('karpenter.sh/disrupted'),
      want: false,
    },
    {
      name: 'not when a Karpenter from before 1.0 removes it',
      node: taint('karpenter.sh/disruption'),
      want: false,
    },
    {
      name: 'when Karpenter has not registered it yet',
      node: taint('karpenter.sh/unregistered'),
      want: true,
    },
    {
      name: 'not when it is initialised without providerID',
      node: { providerID: '' },
      wasFound: true,
      want: false,
    },
    {
      name: 'not when it is uninitialised without providerID and may belong to another cloud',
      node: { providerID: '', ...taint(uninitializedTaint) },
      want: false,
    },
    {
      name: 'when it is uninitialised and its instance was found',
      node: { providerID: '', ...taint(uninitializedTaint) },
      wasFound: true,
      want: true,
    },
    {
      name: 'not when the cloud reports it as not its own',
      node: {},
      isNotOurs: true,
      want: false,
    },
  ];
  for (const { name, node, wasFound = false, isNotOurs = false, want } of cases) {
    it(name, () => {
      const owns = (providerID: string): boolean => providerID.startsWith('cloud://');
      assert.equal(countsForBrake(aNode(node), { owns, wasFound, isNotOurs }), want);
    });
  }
});
