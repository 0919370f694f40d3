import assert from 'node:assert/strict';
import { pausedAnnotation, uninitializedTaint } from '../node-init/index.ts';
import { shutdownTaint } from './action.ts';
import { type InstanceState, type LifecycleAnswer, noEvidence } from './evidence.ts';
import { absent, absentFor, aNode, anInput, unknown } from './lifecycle.fixture.ts';
import { autoscalerTaint, type LifecycleNode } from './node.ts';
import { type LifecycleInput, type LifecyclePlan, planLifecycle } from './plan.ts';

/** The actions and the outcome of the plan as text. */
function sketch({ actions, outcome }: LifecyclePlan): string {
  return [...actions.map(({ kind }) => kind), outcome.kind].join(', ');
}

const tainted = (...keys: string[]): { key: string; effect: string }[] =>
  keys.map((key) => ({ key, effect: 'NoSchedule' }));
const found = (state: InstanceState): LifecycleAnswer => ({ kind: 'found', state });

/** A node whose instance was just found. */
const present = (state: InstanceState, node = aNode()): Partial<LifecycleInput> => ({
  node,
  evidence: noEvidence(node),
  answer: found(state),
});

/** An uninitialised node without providerID, whose instance the cloud reports as absent. */
const newcomer = (facts: Partial<LifecycleNode> = {}): Partial<LifecycleInput> => ({
  node: aNode({ providerID: '', taints: tainted(uninitializedTaint), ...facts }),
  evidence: { ...absentFor(0, 15_000), providerID: '' },
});

describe('a lifecycle plan', () => {
  const cases: { name: string; given: Partial<LifecycleInput>; want: string }[] = [
    // Nodes that are deleted.
    {
      name: 'deletes a NotReady node after two absences a grace period apart',
      given: {},
      want: 'deleteNode, gone',
    },
    {
      name: 'treats a missing condition as NotReady',
      given: { node: aNode({ readyStatus: undefined }) },
      want: 'deleteNode, gone',
    },
    {
      name: 'treats Ready=False as NotReady',
      given: { node: aNode({ readyStatus: 'False' }) },
      want: 'deleteNode, gone',
    },
    {
      name: 'deletes a node with the autoscaler’s taint, because the autoscaler does not delete it',
      given: { node: aNode({ taints: tainted(autoscalerTaint) }) },
      want: 'deleteNode, gone',
    },
    {
      name: 'deletes a node with Karpenter’s taint',
      given: { node: aNode({ taints: tainted('karpenter.sh/disrupted') }) },
      want: 'deleteNode, gone',
    },
    {
      name: 'deletes a node without providerID whose instance was found before',
      given: { ...newcomer(), wasFound: true },
      want: 'deleteNode, gone',
    },
    // Nodes that are not deleted.
    {
      name: 'leaves a node without providerID alone if its instance was never found',
      given: newcomer(),
      want: 'leftAlone',
    },
    {
      name: 'looks up a node without providerID, which may be ours',
      given: { ...newcomer(), answer: null },
      want: 'lookup',
    },
    {
      name: 'taints a node without providerID whose instance is found stopped',
      given: { ...newcomer(), answer: found('stopped') },
      want: 'addShutdownTaint, present',
    },
    {
      name: 'keeps the taint of a Ready node that may belong to another cloud',
      given: newcomer({
        readyStatus: 'True',
        taints: tainted(uninitializedTaint, shutdownTaint.key),
      }),
      want: 'leftAlone',
    },
    {
      name: 'removes the taint of a Ready node without providerID whose instance was found before',
      given: {
        ...newcomer({
          readyStatus: 'True',
          taints: tainted(uninitializedTaint, shutdownTaint.key),
        }),
        wasFound: true,
      },
      want: 'removeShutdownTaint, ready',
    },
    {
      name: 'never deletes a Ready node, whatever the cloud answers',
      given: { node: aNode({ readyStatus: 'True' }) },
      want: 'ready',
    },
    {
      name: 'does nothing to a node that the cloud reports as not its own',
      given: { evidence: noEvidence(aNode()), answer: { kind: 'notOurs' }, isNotOurs: true },
      want: 'notOurs',
    },
    {
      name: 'does not delete a node that the cloud reported as not its own after the absence',
      given: { isNotOurs: true },
      want: 'notOurs',
    },
    {
      name: 'keeps treating a node as not ours while look-ups fail',
      given: { answer: unknown, isNotOurs: true },
      want: 'notOurs',
    },
    {
      name: 'looks up again a node that the cloud reported as not its own',
      given: { answer: null, isNotOurs: true },
      want: 'lookup',
    },
    {
      name: 'keeps the taint of a Ready node that is not ours',
      given: {
        node: aNode({ readyStatus: 'True', taints: tainted(shutdownTaint.key) }),
        answer: null,
        isNotOurs: true,
      },
      want: 'notOurs',
    },
    {
      name: 'does not delete before the grace period is over',
      given: { evidence: absentFor(0, 14_999), answer: absent(14_999) },
      want: 'doubtful',
    },
    {
      name: 'does not delete on one absence, even without a grace period',
      given: { evidence: absentFor(0, 0), answer: absent(0), settings: { graceMs: 0 } },
      want: 'doubtful',
    },
    {
      name: 'does not delete on an absence that does not count',
      given: { evidence: noEvidence(aNode()), answer: absent(15_000, 'cached') },
      want: 'doubtful',
    },
    {
      name: 'does not delete on a cached absence, even after a long absence in the source',
      given: { answer: absent(15_000, 'cached') },
      want: 'doubtful',
    },
    {
      name: 'does not delete on old absences while look-ups fail (P3)',
      given: { answer: unknown },
      want: 'unknown',
    },
    {
      name: 'does not delete on evidence alone: it asks the cloud first',
      given: { answer: null },
      want: 'lookup',
    },
    {
      name: 'does not delete a namesake because of its predecessor’s absence (L2)',
      given: { node: aNode({ uid: 'uid-1' }) },
      want: 'lookup',
    },
    {
      name: 'does not delete because of the absence of another instance',
      given: { node: aNode({ providerID: 'cloud://1' }) },
      want: 'lookup',
    },
    {
      name: 'leaves a paused node alone',
      given: { node: aNode({ annotations: { [pausedAnnotation]: 'true' } }) },
      want: 'leftAlone',
    },
    {
      name: 'leaves a node alone that already has a deletionTimestamp',
      given: { node: aNode({ isBeingDeleted: true }) },
      want: 'leftAlone',
    },
    {
      name: 'leaves a node of another cloud alone',
      given: {
        node: aNode({ providerID: 'other://0' }),
        evidence: { ...absentFor(0, 15_000), providerID: 'other://0' },
      },
      want: 'leftAlone',
    },
    {
      name: 'leaves an initialised node without providerID alone',
      given: { ...newcomer({ taints: [] }), wasFound: true },
      want: 'leftAlone',
    },
    // The shutdown taint.
    {
      name: 'taints a node whose instance is stopped',
      given: present('stopped'),
      want: 'addShutdownTaint, present',
    },
    {
      name: 'does not add the taint twice',
      given: present('stopped', aNode({ taints: tainted(shutdownTaint.key) })),
      want: 'present',
    },
    {
      name: 'adds the taint beside one of the same key with another effect',
      given: present(
        'stopped',
        aNode({ taints: [{ key: shutdownTaint.key, effect: 'NoExecute' }] }),
      ),
      want: 'addShutdownTaint, present',
    },
    {
      name: 'removes the taint when the instance runs, even before the node is Ready',
      given: present('running', aNode({ taints: tainted('other', shutdownTaint.key) })),
      want: 'removeShutdownTaint, present',
    },
    {
      name: 'removes the taint when the node is Ready, without asking the cloud',
      given: {
        node: aNode({ readyStatus: 'True', taints: tainted(shutdownTaint.key) }),
        answer: null,
      },
      want: 'removeShutdownTaint, ready',
    },
    {
      name: 'keeps the taint while look-ups fail',
      given: { node: aNode({ taints: tainted(shutdownTaint.key) }), answer: unknown },
      want: 'unknown',
    },
    {
      name: 'keeps the taint of a paused node',
      given: {
        node: aNode({
          readyStatus: 'True',
          taints: tainted(shutdownTaint.key),
          annotations: { [pausedAnnotation]: 'true' },
        }),
      },
      want: 'leftAlone',
    },
    ...(['pending', 'stopping', 'terminating'] as const).flatMap((state) => [
      {
        name: `adds no taint while the instance is ${state}`,
        given: present(state),
        want: 'present',
      },
      {
        name: `keeps the taint while the instance is ${state}`,
        given: present(state, aNode({ taints: tainted(shutdownTaint.key) })),
        want: 'present',
      },
    ]),
  ];
  for (const { name, given, want } of cases) {
    it(name, () => assert.equal(sketch(planLifecycle(anInput(given))), want));
  }

  it('requires an answer of the source once there is a doubt, and else accepts a cached one', () => {
    const freshnessOf = (evidence: LifecycleInput['evidence']): string => {
      const { outcome } = planLifecycle(anInput({ evidence, answer: null }));
      return outcome.kind === 'lookup' ? outcome.freshness : outcome.kind;
    };
    assert.equal(freshnessOf(noEvidence(aNode())), 'cached');
    assert.equal(freshnessOf({ ...noEvidence(aNode()), isSuspected: true }), 'authoritative');
    assert.equal(freshnessOf(absentFor(0, 0)), 'authoritative');
    assert.equal(freshnessOf({ ...absentFor(0, 0), uid: 'uid-1' }), 'cached');
  });

  it('gives the reason, with the elapsed time and the required time', () => {
    const { outcome } = planLifecycle(
      anInput({ evidence: absentFor(1_000, 11_000), answer: absent(11_000) }),
    );
    assert.deepEqual(outcome, {
      kind: 'doubtful',
      reason: 'the cloud has reported the instance as missing for 10 s of 15 s',
    });
  });
});
