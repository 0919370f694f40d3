/** What becomes of nodes on Azure whose machines are deallocated, deleted or not to be read. */
import assert from 'node:assert/strict';
import { shutdownTaint } from '@tandem/core/lifecycle';
import {
  aMachine,
  ArmError,
  type FakeAzure,
  type Fault,
  withoutInstance,
  withoutMachine,
} from '../../support/arm/index.ts';
import { anInstanceOfPool, openAzureCluster, pool } from './azure-cluster.ts';
import { ipsOf, type SeenNode } from './seen-node.ts';
import { useInstallation } from './installation.ts';

const isShutDown = ({ spec }: SeenNode): boolean =>
  (spec.taints ?? []).some(({ key }) => key === shutdownTaint.key);

/** What an outage of Azure looks like from here; nothing of it says that a machine is gone. */
const outages: readonly { readonly name: string; readonly fault: Fault }[] = [
  { name: 'an internal error', fault: refused('InternalServerError', 500) },
  { name: 'a subscription that is not found', fault: refused('SubscriptionNotFound', 404) },
  { name: 'a resource group that is not found', fault: refused('ResourceGroupNotFound', 404) },
  { name: 'lists that are suddenly empty', fault: { kind: 'empty' } },
  { name: 'a role that was taken away', fault: refused('AuthorizationFailed', 403) },
  { name: 'a page of some gateway', fault: { kind: 'garbage' } },
];

describe('on Azure, a node', function () {
  const { open } = useInstallation();
  this.timeout(180_000);

  it('outlives every outage, is tainted while its machine is deallocated, and deleted after its machine', async () => {
    await using cluster = await openAzureCluster(open);
    const { scenario, azure, manager } = cluster;
    const { arm } = azure;
    const [single, instance] = [aMachine(1), anInstanceOfPool(3)];
    for (const machine of [single, aMachine(2)]) cluster.put(machine);
    for (const each of [instance, anInstanceOfPool(4)]) cluster.putInstance(each);
    const [gone, staying] = [
      ['worker-1', 'pool000003'],
      ['worker-2', 'pool000004'],
    ];
    const names = [...gone, ...staying];
    for (const name of names) await scenario.register({ name });
    await scenario.untilInitialised(names);

    for (const { name, fault } of outages) {
      arm.forgetCalls();
      arm.fault = fault;
      await scenario.until(() => listsOf(azure) >= 2);
      arm.fault = undefined;
      for (const each of names) {
        assert(scenario.nodes.objects.has(each), `${name}: ${each}`);
        assert.equal(ipsOf(scenario.node(each)).length, 2, `${name}: ${each}`);
      }
    }
    manager.assertRunning();

    cluster.put({ ...single, power: 'deallocated' });
    cluster.putInstance({ ...instance, power: 'stopped' });
    for (const name of gone) await scenario.until(() => isShutDown(scenario.node(name)));
    arm.state = withoutMachine(arm.state, single);
    arm.state = withoutInstance(arm.state, pool, '3');
    for (const name of gone) await scenario.until(() => !scenario.nodes.objects.has(name));
    for (const name of staying) {
      assert(scenario.nodes.objects.has(name), name);
      assert(!isShutDown(scenario.node(name)), name);
    }
  });
});

function listsOf({ arm }: FakeAzure): number {
  return arm.calls.filter((call) => call === 'virtualMachines.list').length;
}

function refused(code: string, status: number): Fault {
  return { kind: 'refuse', error: new ArmError(code, 'It is not to be had.', { status }) };
}
