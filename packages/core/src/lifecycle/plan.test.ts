import assert from 'node:assert/strict';
import { pausedAnnotation, uninitializedTaint } from '../node-init/index.ts';
import { shutdownTaint } from './action.ts';
import { type InstanceState, type LifecycleAnswer, noEvidence } from './evidence.ts';
import { absent, absentFor, aNode, anInput, unknown } from './lifecycle.fixture.ts';
import { autoscalerTaint, type LifecycleNode } from './node.ts';
import { type LifecycleInput, type LifecyclePlan, planLifecycle } from './plan.ts';

/** The plan in a few words. */
function sketch({ actions, outcome }: LifecyclePlan): string {
  return [...actions.map(({ kind }) => kind), outcome.kind].join(', ');
}

const tainted = (...keys: string[]): { key: string; effect: string }[] =>
  keys.map((key) => ({ key, effect: 'NoSchedule' }));
const found = (state: InstanceState): LifecycleAnswer => ({ kind: 'found', state });

/** A node that was found before, with the answer in hand. */
const present = (state: InstanceState, node = aNode()): Partial<LifecycleInput> => ({
  node,
  evidence: noEvidence(node),
  answer: found(state),
});

/** A node that waits to be initialised, by this cloud or another, and that the cloud does not know. */
const newcomer = (facts: Partial<LifecycleNode> = {}): Partial<LifecycleInput> => ({
  node: aNode({ providerID: '', taints: tainted(uninitializedTaint), ...facts }),
  evidence: { ...absentFor(0, 15_000), providerID: '' },
});

describe('a lifecycle plan', () => {
  const cases: { name: string; given: Partial<LifecycleInput>; want: string }[] = [
    // What deletes.
    {
      name: 'deletes a NotReady node after two absences a grace apart',
      given: {},
      want: 'deleteNode, gone',
    },
    {
      name: 'takes a missing condition for NotReady',
      given: { node: aNode({ readyStatus: undefined }) },
      want: 'deleteNode, gone',
    },
    {
      name: 'takes Ready=False for NotReady',
      given: { node: aNode({ readyStatus: 'False' }) },
      want: 'deleteNode, gone',
    },
    {
      name: 'deletes what the autoscaler marked: it leaves the Node to others',
      given: { node: aNode({ taints: tainted(autoscalerTaint) }) },
      want: 'deleteNode, gone',
    },
    {
      name: 'deletes what Karpenter marked',
      given: { node: aNode({ taints: tainted('karpenter.sh/disrupted') }) },
      want: 'deleteNode, gone',
    },
    {
      name: 'deletes a node without providerID whose instance was found before',
      given: { ...newcomer(), wasFound: true },
      want: 'deleteNode, gone',
    },
    // What does not.
    {
      name: 'leaves a node without providerID alone whose instance was never found: it may be another cloud’s',
      given: newcomer(),
      want: 'leftAlone',
    },
    {
      name: 'looks a node without providerID up: it may be ours',
      given: { ...newcomer(), answer: null },
      want: 'lookup',
    },
    {
      name: 'marks a node without providerID whose machine is found stopped',
      given: { ...newcomer(), answer: found('stopped') },
      want: 'addShutdownTaint, present',
    },
    {
      name: 'leaves the mark of a Ready node as it is that may be another cloud’s',
      given: newcomer({
        readyStatus: 'True',
        taints: tainted(uninitializedTaint, shutdownTaint.key),
      }),
      want: 'leftAlone',
    },
    {
      name: 'takes the mark from a Ready node without providerID that was found before',
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
      name: 'never deletes a Ready node, whatever the cloud says',
      given: { node: aNode({ readyStatus: 'True' }) },
      want: 'ready',
    },
    {
      name: 'does nothing to a node that the cloud calls none of its own',
      given: { evidence: noEvidence(aNode()), answer: { kind: 'notOurs' }, isNotOurs: true },
      want: 'notOurs',
    },
    {
      name: 'does not delete a node that was called none of its own since the absence',
      given: { isNotOurs: true },
      want: 'notOurs',
    },
    {
      name: 'takes a node for none of its own until the cloud can tell otherwise',
      given: { answer: unknown, isNotOurs: true },
      want: 'notOurs',
    },
    {
      name: 'asks again about a node that was called none of its own',
      given: { answer: null, isNotOurs: true },
      want: 'lookup',
    },
    {
      name: 'leaves the mark of a Ready node that is not its own as it is',
      given: {
        node: aNode({ readyStatus: 'True', taints: tainted(shutdownTaint.key) }),
        answer: null,
        isNotOurs: true,
      },
      want: 'notOurs',
    },
    {
      name: 'does not delete before the grace is over',
      given: { evidence: absentFor(0, 14_999), answer: absent(14_999) },
      want: 'doubtful',
    },
    {
      name: 'does not delete on one absence, even without a grace',
      given: { evidence: absentFor(0, 0), answer: absent(0), settings: { graceMs: 0 } },
      want: 'doubtful',
    },
    {
      name: 'does not delete on an absence that does not count',
      given: { evidence: noEvidence(aNode()), answer: absent(15_000, 'cached') },
      want: 'doubtful',
    },
    {
      name: 'does not delete on a copy’s word, however long the source has said so before',
      given: { answer: absent(15_000, 'cached') },
      want: 'doubtful',
    },
    {
      name: 'does not delete on old absences while the cloud cannot tell (P3)',
      given: { answer: unknown },
      want: 'unknown',
    },
    {
      name: 'does not delete on evidence alone: it asks first',
      given: { answer: null },
      want: 'lookup',
    },
    {
      name: 'does not delete a namesake for its predecessor’s absence (L2)',
      given: { node: aNode({ uid: 'uid-1' }) },
      want: 'lookup',
    },
    {
      name: 'does not delete for the absence of another instance',
      given: { node: aNode({ providerID: 'cloud://1' }) },
      want: 'lookup',
    },
    {
      name: 'leaves a paused node alone',
      given: { node: aNode({ annotations: { [pausedAnnotation]: 'true' } }) },
      want: 'leftAlone',
    },
    {
      name: 'leaves a node alone that is being deleted',
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
    // The taint of those that are shut down.
    {
      name: 'marks a node whose machine is stopped',
      given: present('stopped'),
      want: 'addShutdownTaint, present',
    },
    {
      name: 'does not mark it twice',
      given: present('stopped', aNode({ taints: tainted(shutdownTaint.key) })),
      want: 'present',
    },
    {
      name: 'marks it beside a taint of the same key with another effect',
      given: present(
        'stopped',
        aNode({ taints: [{ key: shutdownTaint.key, effect: 'NoExecute' }] }),
      ),
      want: 'addShutdownTaint, present',
    },
    {
      name: 'takes the mark away when the machine runs, though the node is not Ready yet',
      given: present('running', aNode({ taints: tainted('other', shutdownTaint.key) })),
      want: 'removeShutdownTaint, present',
    },
    {
      name: 'takes the mark away when the node is Ready, without asking the cloud',
      given: {
        node: aNode({ readyStatus: 'True', taints: tainted(shutdownTaint.key) }),
        answer: null,
      },
      want: 'removeShutdownTaint, ready',
    },
    {
      name: 'keeps the mark while the cloud cannot tell',
      given: { node: aNode({ taints: tainted(shutdownTaint.key) }), answer: unknown },
      want: 'unknown',
    },
    {
      name: 'leaves the mark of a paused node as it is',
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
      { name: `does not mark what is ${state}`, given: present(state), want: 'present' },
      {
        name: `keeps the mark of what is ${state}`,
        given: present(state, aNode({ taints: tainted(shutdownTaint.key) })),
        want: 'present',
      },
    ]),
  ];
  for (const { name, given, want } of cases) {
    it(name, () => assert.equal(sketch(planLifecycle(anInput(given))), want));
  }

  it('asks the source itself once there is a doubt, and else whoever knows', () => {
    const freshnessOf = (evidence: LifecycleInput['evidence']): string => {
      const { outcome } = planLifecycle(anInput({ evidence, answer: null }));
      return outcome.kind === 'lookup' ? outcome.freshness : outcome.kind;
    };
    assert.equal(freshnessOf(noEvidence(aNode())), 'cached');
    assert.equal(freshnessOf({ ...noEvidence(aNode()), isSuspected: true }), 'authoritative');
    assert.equal(freshnessOf(absentFor(0, 0)), 'authoritative');
    assert.equal(freshnessOf({ ...absentFor(0, 0), uid: 'uid-1' }), 'cached');
  });

  it('says why, with the time that has passed and the time that must', () => {
    const { outcome } = planLifecycle(
      anInput({ evidence: absentFor(1_000, 11_000), answer: absent(11_000) }),
    );
    assert.deepEqual(outcome, {
      kind: 'doubtful',
      reason: 'the cloud has reported the instance as missing for 10 s of 15 s',
    });
  });
});
