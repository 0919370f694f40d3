import assert from 'node:assert/strict';
import { requestRefusals } from '../node-address/index.ts';
import { aNode, anInput, found, tainted } from './node-init.fixture.ts';
import { nodeRefusals } from './node-refusal.ts';
import { type NodePlanInput, planNode } from './plan.ts';

describe('a refusal of a node', () => {
  it('has a code of its own, a meaning and a remedy', () => {
    for (const [code, { meaning, remedy }] of Object.entries(nodeRefusals)) {
      assert.ok(!Object.hasOwn(requestRefusals, code));
      assert.match(meaning, /\.$/);
      assert.match(remedy, /\.$/);
    }
  });

  const evil = '\u001b[31m"\n\u202e'.repeat(1000);
  const holder = { name: evil, uid: '', creationTimestampSeconds: 0, isInitialised: true };
  const hostile: { code: string; given: Partial<NodePlanInput> }[] = [
    { code: 'ForeignProviderID', given: { node: aNode({ providerID: evil }), owns: () => false } },
    { code: 'ProviderIDConflict', given: { node: aNode({ providerID: evil }), rivals: [holder] } },
    {
      code: 'InstanceNotFound',
      given: { node: aNode({ providerID: evil }), answer: { kind: 'absent', asOfMs: 100 } },
    },
    {
      code: 'InstanceLookupFailed',
      given: { answer: { kind: 'unknown', reason: evil, asOfMs: 100 } },
    },
    {
      code: 'NoCloudAddresses',
      given: {
        node: aNode({ taints: [], addresses: [{ type: 'InternalIP', address: '10.0.0.1' }] }),
        answer: found({ addresses: [{ type: evil, address: evil }] }),
      },
    },
  ];
  for (const { code, given } of hostile) {
    it(`is one short printable line, for any input (${code})`, () => {
      const { outcome } = planNode(anInput(given));
      assert.ok(outcome.kind === 'refused');
      assert.equal(outcome.refusal.code, code);
      assert.match(outcome.refusal.message, /^[ -~…]{20,400}$/);
    });
  }

  it('is one short printable line for the holder of a shared instance, too', () => {
    const node = aNode({ providerID: evil, taints: [], uid: '-' });
    const other = { ...holder, uid: 'z', creationTimestampSeconds: Infinity };
    const { conflict } = planNode(anInput({ node, rivals: [other] }));
    assert.match(conflict ?? '', /^[ -~…]{20,400}$/);
  });

  it('cannot make reasons of actions that do not fit into an event', () => {
    const list = Array.from({ length: 90 }, (_, n) => ({
      type: 'InternalIP',
      address: `${n}${evil}`,
    }));
    const node = aNode({ taints: tainted, addresses: list });
    const labels = Object.fromEntries(list.map(({ address }) => [address, evil]));
    const answer = found({ providerID: evil, addresses: list.toReversed(), labels });
    const { actions } = planNode(anInput({ node, answer }));
    assert.equal(actions.length, 2);
    for (const { reason } of actions) assert.match(reason(), /^[ -~…]{20,1024}$/);
  });

  const longCause = `inventory.yaml:42 is refused: ${'the label is none, '.repeat(10)}mend it`;
  const instanceOfScaleSet =
    'azure:///subscriptions/11111111-1111-4111-8111-111111111111/resourceGroups/mc_blue_blue_westeurope/providers/Microsoft.Compute/virtualMachineScaleSets/aks-nodepool1-12345678-vmss/virtualMachines/117';
  const worker = { ...holder, name: 'worker', uid: 'w' };
  const wordings: { name: string; given: Partial<NodePlanInput>; want: string }[] = [
    {
      name: 'names the instance that was not found',
      given: { answer: { kind: 'absent', asOfMs: 100 } },
      want: 'The cloud has no instance named "node-0". Add the instance under this name, rename it, or delete the Node. The node stays tainted until then.',
    },
    {
      name: 'names the providerID of the instance that was not found',
      given: {
        node: aNode({ providerID: 'cloud://7', taints: [] }),
        answer: { kind: 'absent', asOfMs: 100 },
      },
      want: 'The cloud has no instance with the providerID "cloud://7". Restore the instance or delete the Node. The node keeps its addresses.',
    },
    {
      name: 'shows the end of a long providerID, which distinguishes instances of one scale set',
      given: {
        node: aNode({ providerID: instanceOfScaleSet, taints: [] }),
        answer: { kind: 'absent', asOfMs: 100 },
      },
      want: 'The cloud has no instance with the providerID "azure:///subscriptions/11111111-…iders/Microsoft.Compute/virtualMachineScaleSets/aks-nodepool1-12345678-vmss/virtualMachines/117". Restore the instance or delete the Node. The node keeps its addresses.',
    },
    {
      name: 'shows that end also beside the name of another Node',
      given: { node: aNode({ providerID: instanceOfScaleSet }), rivals: [worker] },
      want: 'Instance "azure:///subscriptions/11111111-…iders/Microsoft.Compute/virtualMachineScaleSets/aks-nodepool1-12345678-vmss/virtualMachines/117" already belongs to Node "worker", which is initialised. Delete the Node that does not belong to the instance. This node stays unchanged until then.',
    },
    {
      name: 'has the error of a failed look-up',
      given: { answer: { kind: 'unknown', reason: 'RateLimited', asOfMs: 100 } },
      want: 'The cloud lookup for this node failed ("RateLimited"). The manager retries it. The node stays tainted until then.',
    },
    {
      name: 'has room for a long error of a failed look-up',
      given: { answer: { kind: 'unknown', reason: longCause, asOfMs: 100 } },
      want: `The cloud lookup for this node failed ("${longCause}"). The manager retries it. The node stays tainted until then.`,
    },
    {
      name: 'says that a new node without addresses stays tainted',
      given: { answer: found({ addresses: [] }) },
      want: 'The cloud lists no address for this instance. Add an address to the instance. The node stays tainted until then.',
    },
    {
      name: 'says that an initialised node without addresses keeps its own',
      given: { node: aNode({ taints: [] }), answer: found({ addresses: [] }) },
      want: 'The cloud lists no address for this instance. Add an address to the instance. The node keeps its addresses.',
    },
  ];
  for (const { name, given, want } of wordings) {
    it(name, () => {
      const { outcome } = planNode(anInput(given));
      assert.equal(outcome.kind === 'refused' && outcome.refusal.message, want);
    });
  }
});
