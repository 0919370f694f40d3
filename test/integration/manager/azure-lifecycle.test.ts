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
import { anInstanceOfPool, openAzureScene, pool } from './azure-scene.ts';
import { ipsOf, type SeenNode } from './seen-node.ts';
import { useWorld } from './world.ts';

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
  const { open } = useWorld();
  this.timeout(180_000);

  it('outlives every outage, is tainted while its machine is deallocated, and deleted after its machine', async () => {
    await using world = await openAzureScene(open);
    const { scene, azure, manager } = world;
    const { arm } = azure;
    const [single, instance] = [aMachine(1), anInstanceOfPool(3)];
    for (const machine of [single, aMachine(2)]) world.put(machine);
    for (const each of [instance, anInstanceOfPool(4)]) world.putInstance(each);
    const [gone, staying] = [
      ['worker-1', 'pool000003'],
      ['worker-2', 'pool000004'],
    ];
    const names = [...gone, ...staying];
    for (const name of names) await scene.register({ name });
    await scene.untilInitialised(names);

    for (const { name, fault } of outages) {
      arm.forgetCalls();
      arm.fault = fault;
      await scene.until(() => listsOf(azure) >= 2);
      arm.fault = undefined;
      for (const each of names) {
        assert(scene.nodes.objects.has(each), `${name}: ${each}`);
        assert.equal(ipsOf(scene.node(each)).length, 2, `${name}: ${each}`);
      }
    }
    manager.assertRunning();

    world.put({ ...single, power: 'deallocated' });
    world.putInstance({ ...instance, power: 'stopped' });
    for (const name of gone) await scene.until(() => isShutDown(scene.node(name)));
    arm.state = withoutMachine(arm.state, single);
    arm.state = withoutInstance(arm.state, pool, '3');
    for (const name of gone) await scene.until(() => !scene.nodes.objects.has(name));
    for (const name of staying) {
      assert(scene.nodes.objects.has(name), name);
      assert(!isShutDown(scene.node(name)), name);
    }
  });
});

function listsOf({ arm }: FakeAzure): number {
  return arm.calls.filter((call) => call === 'virtualMachines.list').length;
}

function refused(code: string, status: number): Fault {
  return { kind: 'refuse', error: new ArmError(code, 'It is not to be had.', { status }) };
}
