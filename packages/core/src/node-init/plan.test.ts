import assert from 'node:assert/strict';
import { cidrOfAddress, parseAddress } from '../ip/index.ts';
import {
  type Exclusion,
  kubeletAnnotation,
  type NodeIPPolicy,
  operatorAnnotation,
} from '../node-address/index.ts';
import type { Claimant } from './claim.ts';
import { pausedAnnotation, uninitializedTaint } from './node.ts';
import {
  addressesOf,
  aNode,
  anInput,
  applied,
  aReadyNode,
  defaults,
  found,
} from './node-init.fixture.ts';
import { type NodePlan, type NodePlanInput, planNode } from './plan.ts';

const exclusion = {
  cidr: cidrOfAddress(parseAddress('10.0.0.5')!),
  reason: 'API VIP',
  isVip: true,
};
const policy = (facts: Partial<NodeIPPolicy>): NodeIPPolicy => ({
  name: 'p',
  selector: {},
  request: 'IPv6',
  overridesKubelet: false,
  ...facts,
});
const rival = (facts: Partial<Claimant> = {}): Claimant => ({
  name: 'node-1',
  uid: 'uid-1',
  creationTimestampSeconds: 1,
  isInitialised: false,
  ...facts,
});
const asking = (value: string): { annotations: Record<string, string> } => ({
  annotations: { [operatorAnnotation]: value },
});

/** The plan as text: its actions, and its outcome or the code of its refusal. */
function sketch({ actions, outcome }: NodePlan): string {
  const end = outcome.kind === 'refused' ? outcome.refusal.code : outcome.kind;
  return [...actions.map(({ kind }) => kind), end].join(', ');
}

/** The node after all actions of the plan. */
function endOf(input: NodePlanInput): ReturnType<typeof aNode> {
  return planNode(input).actions.reduce(applied, input.node);
}

describe('a plan', () => {
  const settings = (facts: Partial<typeof defaults>): typeof defaults => ({
    ...defaults,
    ...facts,
  });
  const absent = { kind: 'absent', asOfMs: 100 } as const;
  const notOurs = { kind: 'notOurs', asOfMs: 100 } as const;
  const unknown = { kind: 'unknown', reason: 'throttled', asOfMs: 100 } as const;
  const betaOnly = { 'failure-domain.beta.kubernetes.io/zone': 'z1' };
  const cases: { name: string; given: Partial<NodePlanInput>; want: string }[] = [
    // Nodes that are left alone, whatever the cloud answers.
    {
      name: 'leaves a paused node alone, even one of another cloud',
      given: {
        node: aNode({ annotations: { [pausedAnnotation]: 'true' }, providerID: 'other://1' }),
        rivals: [rival()],
      },
      want: 'paused',
    },
    {
      name: 'accepts other spellings of a pause, such as Yes',
      given: { node: aNode({ annotations: { [pausedAnnotation]: 'Yes' } }) },
      want: 'paused',
    },
    {
      name: 'does not treat the value false as a pause',
      given: { node: aNode({ annotations: { [pausedAnnotation]: 'false' } }) },
      want: 'writeAddresses, initialise, settled',
    },
    {
      name: 'does not change a node of another cloud, not even its labels',
      given: { node: aReadyNode({ labels: betaOnly, providerID: 'other://1' }) },
      want: 'ForeignProviderID',
    },
    {
      name: 'does not give a node the providerID of another cloud, even if the provider answers it',
      given: { answer: found({ providerID: 'other://1' }) },
      want: 'InstanceLookupFailed',
    },
    {
      name: 'refuses the younger of two claimants before it asks the cloud',
      given: { rivals: [rival()], answer: null },
      want: 'ProviderIDConflict',
    },
    {
      name: 'does not change an initialised node whose instance an older node holds',
      given: {
        node: aReadyNode({ labels: betaOnly, addresses: addressesOf('InternalIP 10.9.9.9') }),
        rivals: [rival({ isInitialised: true })],
      },
      want: 'ProviderIDConflict',
    },
    {
      name: 'continues with the one of two claimants that holds the instance',
      given: { rivals: [rival({ creationTimestampSeconds: 2000 })] },
      want: 'writeAddresses, initialise, settled',
    },
    {
      name: 'leaves a node that is not ours alone, including its labels and its claim',
      given: {
        node: aReadyNode({ labels: betaOnly }),
        rivals: [rival({ isInitialised: true })],
        answer: notOurs,
      },
      want: 'notOurs',
    },
    {
      name: 'keeps the taint of a node that is not ours',
      given: { answer: notOurs },
      want: 'notOurs',
    },
    {
      name: 'keeps treating a node as not ours while the look-up fails',
      given: { answer: unknown, isNotOurs: true },
      want: 'notOurs',
    },
    {
      name: 'continues with a node that was not ours and is found now',
      given: { isNotOurs: true },
      want: 'writeAddresses, initialise, settled',
    },
    {
      name: 'looks up again a node that was not ours',
      given: { answer: null, isNotOurs: true },
      want: 'lookup',
    },
    // Missing, negative and failed answers.
    { name: 'asks the cloud first', given: { answer: null }, want: 'lookup' },
    {
      name: 'refuses a node that the cloud does not know',
      given: { answer: absent },
      want: 'InstanceNotFound',
    },
    {
      name: 'asks again if the request changed after the cloud did not know the node',
      given: { answer: absent, requestChangedAtMs: 101 },
      want: 'lookup',
    },
    {
      name: 'does nothing after a failed look-up',
      given: { answer: unknown },
      want: 'InstanceLookupFailed',
    },
    {
      name: 'asks again if the request changed after the look-up failed',
      given: { answer: unknown, requestChangedAtMs: 101 },
      want: 'lookup',
    },
    {
      name: 'keeps the taint if there is no providerID',
      given: { answer: found({ providerID: '' }) },
      want: 'InstanceLookupFailed',
    },
    {
      name: 'keeps pairs of labels equal even while look-ups fail',
      given: { node: aReadyNode({ labels: betaOnly }), answer: unknown },
      want: 'writeLabels, InstanceLookupFailed',
    },
    {
      name: 'keeps the addresses of an initialised node that the cloud does not know',
      given: { node: aReadyNode(), answer: absent },
      want: 'InstanceNotFound',
    },
    // Requests that are refused.
    {
      name: 'keeps the taint of a node without addresses in the cloud (P1)',
      given: { answer: found({ addresses: [] }) },
      want: 'NoCloudAddresses',
    },
    {
      name: 'does not replace addresses with an empty list (P3)',
      given: { node: aReadyNode(), answer: found({ addresses: [] }) },
      want: 'NoCloudAddresses',
    },
    {
      name: 'does not replace a list with IPs by a list of only names',
      given: { node: aReadyNode(), answer: found({ addresses: addressesOf('Hostname a') }) },
      want: 'NoCloudAddresses',
    },
    {
      name: 'asks again before it refuses because of a list of only names',
      given: {
        node: aReadyNode(),
        answer: found({ addresses: addressesOf('Hostname a') }),
        requestChangedAtMs: 101,
      },
      want: 'lookup',
    },
    {
      name: 'writes a list of only names if the node has no IP',
      given: {
        node: aReadyNode({ addresses: [] }),
        answer: found({ addresses: addressesOf('Hostname a') }),
      },
      want: 'writeAddresses, settled',
    },
    {
      name: 'initialises a node with only names, as upstream does',
      given: {
        node: aNode({ addresses: addressesOf('InternalIP 10.0.0.1') }),
        answer: found({ addresses: addressesOf('Hostname a') }),
      },
      want: 'writeAddresses, initialise, settled',
    },
    {
      name: 'writes only a Hostname if the request names it, as upstream does',
      given: {
        node: aReadyNode(asking('10.0.0.1')),
        answer: found({ addresses: addressesOf('Hostname 10.0.0.1') }),
      },
      want: 'writeAddresses, settled',
    },
    {
      name: 'asks again before it refuses for a missing address (P3)',
      given: { node: aNode(asking('10.0.0.9')), requestChangedAtMs: 101 },
      want: 'lookup',
    },
    {
      name: 'accepts an answer from the same instant as the request',
      given: { node: aNode(asking('10.0.0.9')), requestChangedAtMs: 100 },
      want: 'AddressNotFound',
    },
    {
      name: 'refuses a malformed request at once, without another answer',
      given: { node: aNode(asking('IPv5')), requestChangedAtMs: 101 },
      want: 'InvalidSyntax',
    },
    {
      name: 'uses an old answer that has the requested address',
      given: { node: aReadyNode(asking('IPv6')), requestChangedAtMs: 101 },
      want: 'writeAddresses, settled',
    },
    {
      name: 'keeps the addresses of an initialised node whose request is refused, and refreshes labels',
      given: {
        node: aReadyNode({ ...asking('10.0.0.9'), addresses: addressesOf('InternalIP 10.0.0.7') }),
        answer: found({ zone: 'z1' }),
        settings: settings({ refreshLabels: true }),
      },
      want: 'writeLabels, AddressNotFound',
    },
    {
      name: 'refuses a requested address that is excluded',
      given: {
        node: aNode(asking('10.0.0.5')),
        answer: found({ addresses: addressesOf('InternalIP 10.0.0.1, InternalIP 10.0.0.5') }),
        settings: settings({ exclusions: [exclusion] }),
      },
      want: 'AddressNotFound',
    },
    {
      name: 'refuses a family while the gate is off',
      given: {
        node: aNode(asking('IPv4')),
        settings: settings({ gates: { CloudNodeIPs: false } }),
      },
      want: 'FeatureDisabled',
    },
    // Nodes that are initialised, in steps.
    {
      name: 'continues if the addresses are already stored',
      given: { node: aNode({ addresses: aReadyNode().addresses }) },
      want: 'initialise, settled',
    },
    {
      name: 'leaves a converged node alone (P5)',
      given: { node: aReadyNode() },
      want: 'settled',
    },
    {
      name: 'leaves a converged node alone whose providerID has another spelling',
      given: { node: aReadyNode({ providerID: 'CLOUD://0' }) },
      want: 'settled',
    },
    {
      name: 'gives no providerID to a node without the taint',
      given: { node: aReadyNode({ providerID: '' }) },
      want: 'settled',
    },
    {
      name: 'writes addresses whose order has changed',
      given: {
        node: aReadyNode({ addresses: addressesOf('InternalIP fd00::1, InternalIP 10.0.0.1') }),
      },
      want: 'writeAddresses, settled',
    },
    {
      name: 'does not refresh labels by default',
      given: { node: aReadyNode(), answer: found({ zone: 'z1', labels: { rack: 'r1' } }) },
      want: 'settled',
    },
    {
      name: 'refreshes labels with refreshLabels',
      given: {
        node: aReadyNode(),
        answer: found({ zone: 'z1', labels: { rack: 'r1' } }),
        settings: settings({ refreshLabels: true }),
      },
      want: 'writeLabels, settled',
    },
  ];
  for (const { name, given, want } of cases) {
    it(name, () => assert.equal(sketch(planNode(anInput(given))), want));
  }

  it('removes every uninitialized taint, of any effect, and no other taint', () => {
    const taint = (key: string, effect: string): { key: string; effect: string } => ({
      key,
      effect,
    });
    const other = taint('other', 'NoSchedule');
    const taints = [
      taint(uninitializedTaint, 'NoExecute'),
      other,
      taint(uninitializedTaint, 'PreferNoSchedule'),
    ];
    assert.deepEqual(endOf(anInput({ node: aNode({ taints }) })).taints, [other]);
  });

  it('never changes a providerID, not even to the cloud’s spelling', () => {
    assert.equal(
      endOf(anInput({ node: aNode({ providerID: 'CLOUD://0' }) })).providerID,
      'CLOUD://0',
    );
  });

  it('initialises with the same addresses that it writes first', () => {
    const { actions } = planNode(anInput());
    const [first, second] = actions;
    assert.ok(first?.kind === 'writeAddresses' && second?.kind === 'initialise');
    assert.deepEqual(second.addresses, first.addresses);
    assert.equal(second.providerID, 'cloud://0');
  });

  it('selects policies by the labels that the node is about to get', () => {
    const inZone = policy({ selector: { matchLabels: { 'topology.kubernetes.io/zone': 'z1' } } });
    const input = anInput({
      answer: found({ zone: 'z1' }),
      settings: settings({ policies: [inZone] }),
    });
    assert.deepEqual(endOf(input).addresses, addressesOf('InternalIP fd00::1'));
  });
});

describe('the addresses of a plan', () => {
  const cases: { name: string; has: string; cloud: string; request?: string; want: string }[] = [
    {
      name: "keep the node's Hostname at the end if the cloud gives none",
      has: 'Hostname kubelet, InternalIP 10.9.9.9',
      cloud: 'InternalIP 10.0.0.1, ExternalIP 1.2.3.4',
      want: 'InternalIP 10.0.0.1, ExternalIP 1.2.3.4, Hostname kubelet',
    },
    {
      name: "include the cloud's Hostname instead of the node's",
      has: 'Hostname kubelet',
      cloud: 'InternalIP 10.0.0.1, Hostname cloud',
      want: 'InternalIP 10.0.0.1, Hostname cloud',
    },
    {
      name: 'have no duplicates',
      has: 'Hostname kubelet, Hostname kubelet',
      cloud: 'InternalIP 10.0.0.1, InternalIP 10.0.0.1, ExternalIP 10.0.0.1',
      want: 'InternalIP 10.0.0.1, ExternalIP 10.0.0.1, Hostname kubelet',
    },
    {
      name: 'have the requested addresses first, and no excluded one',
      has: '',
      cloud: 'InternalIP 10.0.0.5, InternalIP 10.0.0.1, InternalIP fd00::1',
      request: 'IPv6,IPv4',
      want: 'InternalIP fd00::1, InternalIP 10.0.0.1',
    },
  ];
  for (const { name, has, cloud, request, want } of cases) {
    it(name, () => {
      const input = anInput({
        node: aNode({
          addresses: addressesOf(has),
          ...(request === undefined ? {} : asking(request)),
        }),
        answer: found({ addresses: addressesOf(cloud) }),
        settings: { ...defaults, exclusions: [exclusion] },
      });
      assert.deepEqual(endOf(input).addresses, addressesOf(want));
      assert.deepEqual(planNode(input).explanation?.addresses, addressesOf(want));
    });
  }
});

describe('the texts of a plan', () => {
  it('name the Node that holds the instance, and why', () => {
    const { outcome } = planNode(anInput({ rivals: [rival({ isInitialised: true })] }));
    assert.deepEqual(outcome, {
      kind: 'refused',
      refusal: {
        code: 'ProviderIDConflict',
        message:
          'Instance "cloud://0" already belongs to Node "node-1", which is initialised. Delete the Node that does not belong to the instance. This node stays unchanged until then.',
      },
    });
  });

  it('give a reason for each action', () => {
    const node = aNode({ ...asking('IPv6'), addresses: addressesOf('Hostname a') });
    const { actions, stack } = planNode(anInput({ node, answer: found({ zone: 'z1' }) }));
    assert.deepEqual(
      actions.map(({ reason }) => reason()),
      [
        'the node should have InternalIP fd00::1, because tandem.dev/node-ip requests "IPv6", and keeps its own Hostname a, but has Hostname a',
        'the instance is "cloud://0": remove the taint after the addresses are stored, and set the labels failure-domain.beta.kubernetes.io/zone=z1 and topology.kubernetes.io/zone=z1',
      ],
    );
    assert.equal(stack, 'SS IPv6');
  });

  it('name excluded addresses in the reason for other addresses', () => {
    const addresses = addressesOf('InternalIP 10.0.0.5, InternalIP fd00::1');
    const answer = found({ addresses });
    const node = aReadyNode({ addresses });
    const settings = { ...defaults, exclusions: [exclusion] };
    const { actions } = planNode(anInput({ node, answer, settings }));
    assert.deepEqual(
      actions.map(({ reason }) => reason()),
      [
        "the node should have InternalIP fd00::1, by the cloud's list, but has InternalIP 10.0.0.5 and InternalIP fd00::1; 10.0.0.5 is excluded (API VIP)",
      ],
    );
  });

  it('say whether a Hostname is the cloud’s or the node’s own', () => {
    const reasonFor = (cloud: string): string | undefined => {
      const node = aReadyNode({ addresses: addressesOf('InternalIP 10.0.0.9, Hostname a') });
      const answer = found({ addresses: addressesOf(cloud) });
      return planNode(anInput({ node, answer })).actions[0]?.reason();
    };
    const before = 'but has InternalIP 10.0.0.9 and Hostname a';
    assert.equal(
      reasonFor('InternalIP 10.0.0.1'),
      `the node should have InternalIP 10.0.0.1, by the cloud's list, and keeps its own Hostname a, ${before}`,
    );
    assert.equal(
      reasonFor('InternalIP 10.0.0.1, Hostname b'),
      `the node should have InternalIP 10.0.0.1 and Hostname b, by the cloud's list, ${before}`,
    );
  });

  it('list each step, including the Hostname of the node', () => {
    const node = aNode({ addresses: addressesOf('Hostname a') });
    assert.deepEqual(planNode(anInput({ node })).explanation?.steps(), [
      'no request for particular addresses',
      "took the cloud's list as it is",
      'consumers see DS IPv4-primary: 10.0.0.1 and fd00::1',
      "kept the node's own Hostname a: the cloud lists none",
    ]);
  });

  it('say in the explanation and in the refusal why a list of only names is not written', () => {
    const answer = found({ addresses: addressesOf('Hostname a') });
    const { outcome, explanation } = planNode(anInput({ node: aReadyNode(), answer }));
    assert.ok(outcome.kind === 'refused');
    assert.deepEqual(explanation?.error, outcome.refusal);
    assert.equal(explanation.addresses, null);
    assert.match(
      explanation.steps().at(-1)!,
      /^refused with NoCloudAddresses: The cloud reports only Hostname a\. Give/,
    );
  });

  it('name excluded addresses if only names are left, with advice that fits', () => {
    const answer = found({ addresses: addressesOf('InternalIP 10.0.0.5, Hostname a') });
    const refusedBy = (entry: Exclusion): string => {
      const excluding = { ...defaults, exclusions: [entry] };
      const { outcome } = planNode(anInput({ node: aReadyNode(), answer, settings: excluding }));
      return outcome.kind === 'refused' ? outcome.refusal.message : outcome.kind;
    };
    assert.equal(
      refusedBy(exclusion),
      'The cloud reports only Hostname a, plus 10.0.0.5, which is excluded (API VIP). Give the instance another IP address. The node keeps its addresses.',
    );
    assert.match(
      refusedBy({ ...exclusion, reason: 'storage', isVip: false }),
      /10\.0\.0\.5, which is excluded \(storage\)\. Give the instance another IP address or change the exclusion\./,
    );
  });

  const disagreements: { name: string; kubelets: string; changedAtMs: number; isSaid: boolean }[] =
    [
      {
        name: 'report no disagreement of sources that an old answer may have caused',
        kubelets: '10.0.0.9',
        changedAtMs: 101,
        isSaid: false,
      },
      {
        name: 'report a disagreement on an old answer that has both addresses',
        kubelets: '10.0.0.1',
        changedAtMs: 101,
        isSaid: true,
      },
      { name: 'report that sources disagree', kubelets: '10.0.0.9', changedAtMs: 50, isSaid: true },
      {
        name: 'report no disagreement if both give the same result',
        kubelets: 'fd00::1',
        changedAtMs: 50,
        isSaid: false,
      },
    ];
  for (const { name, kubelets, changedAtMs, isSaid } of disagreements) {
    it(name, () => {
      const annotations = { [operatorAnnotation]: 'IPv6', [kubeletAnnotation]: kubelets };
      const plan = planNode(
        anInput({ node: aNode({ annotations }), requestChangedAtMs: changedAtMs }),
      );
      assert.equal(plan.disagreement !== null, isSaid);
      assert.equal(sketch(plan), 'writeAddresses, initialise, settled');
    });
  }
});
