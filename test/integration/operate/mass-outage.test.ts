/**
 * A cloud that loses sight of a large part of its machines at once, on a real control plane: nothing is
 * deleted until it sees them again or a person says that they are really gone.
 */
import assert from 'node:assert/strict';
import { Limiter } from '@tandem/runtime';
import { describedEvents } from '../../support/kubectl.ts';
import { aMachine, type Machine } from '../manager/inventory.ts';
import type { Scenario } from '../manager/scenario.ts';
import { useInstallation } from '../manager/installation.ts';
import { operate, type Operated, quickDeletion, untilLeading, untilPasses } from './operated.ts';

const names = Array.from({ length: 25 }, (_, index) => `fleet-${index}`);
/** Two in five. */
const lost = names.slice(0, 10);

describe('a mass outage of the cloud', function () {
  this.timeout(90_000);
  const { open } = useInstallation();

  /** A fleet whose kubelets are not heard of: its nodes are initialised and not Ready. */
  async function fleet(scenario: Scenario): Promise<Operated> {
    const few = new Limiter({ concurrency: 8 });
    await Promise.all(names.map((name) => few.run(() => scenario.register({ name }))));
    const operated = await operate(scenario, { flags: quickDeletion });
    await scenario.untilInitialised(names);
    return operated;
  }

  async function lift(scenario: Scenario, until: string): Promise<void> {
    await scenario.ask({
      method: 'PATCH',
      path: leasePath,
      contentType: 'application/merge-patch+json',
      body: { metadata: { annotations: { 'tandem.dev/release-deletion-brake': until } } },
    });
  }

  it('deletes no node, says so on each and by metric, and deletes them when a person lifts the brake', async () => {
    const machines: readonly Machine[] = names.map((name, index) => aMachine(name, index + 1));
    await using scenario = await open({ machines });
    const operated = await fleet(scenario);
    const { manager, port } = operated;
    assert.equal(await port.metric(engaged), 0);

    await scenario.inventory.write(machines.slice(lost.length));
    for (const name of lost) await scenario.untilSaid(name, 'DeletionHeld');
    assert.equal(await port.metric(engaged), 1);
    assert.equal(await port.metric('tandem_node_deletions_held'), lost.length);
    await manager.says(/Engaged the deletion brake/, { absent: 10, owned: 25, limit: 5 });
    await untilPasses(scenario, operated, 4);
    assert.equal(scenario.nodes.objects.size, names.length, 'a node was deleted under the brake');
    for (const name of names.slice(lost.length)) {
      assert.ok(!reasonsOf(scenario, name).includes('DeletionHeld'), `${name} is there`);
    }
    const [held = ''] = (await describedEvents(scenario.controlPlane, 'fleet-0')).filter((line) =>
      line.includes('DeletionHeld'),
    );
    assert.match(
      held,
      /^ +Warning +DeletionHeld .* cloud-node-lifecycle-controller +Not deleting node fleet-0 although it does not exist in the cloud provider: too many nodes are missing at once \(more than 5 nodes and 20 % of all\).*kubectl -n kube-system annotate --overwrite lease cloud-controller-manager tandem\.dev\/release-deletion-brake=\d{4}-[-\dT:]+Z$/,
    );

    await lift(scenario, held.slice(held.lastIndexOf('=') + 1));
    await manager.says(/Deletion brake released by annotation/);
    await scenario.until(() => scenario.nodes.objects.size === names.length - lost.length);
    await untilPasses(scenario, operated, 2);
    assert.deepEqual(
      [...scenario.nodes.objects.keys()].toSorted(),
      names.slice(lost.length).toSorted(),
    );
    assert.equal(await port.metric(engaged), 0);
    assert.equal(await port.metric('tandem_node_deletions_total{outcome="deleted"}'), lost.length);
  });

  it('is noticed by a manager that knows only from the Lease what the one before deleted', async () => {
    const fleetOfTen = names.slice(0, 10);
    const machines = fleetOfTen.map((name, index) => aMachine(name, index + 1));
    await using scenario = await open({ machines });
    const first = await operate(scenario, { flags: quickDeletion });
    for (const name of fleetOfTen) await scenario.register({ name });
    await scenario.untilInitialised(fleetOfTen);
    await scenario.inventory.write(machines.slice(4));
    await scenario.until(() => scenario.nodes.objects.size === 6);
    assert.match(await memoryOf(scenario), /^(?:[-\dT:]+Z=[0-9a-f]{8}(?:,[0-9a-f]{8})*(?: |$))+$/);
    await first.manager.kill();

    const second = await operate(scenario, { flags: quickDeletion });
    await untilLeading(scenario, second);
    assert.match(await memoryOf(scenario), /Z=/, 'the election leaves it as it is');
    // Two more are fewer than five, and with the four before them they are six.
    await scenario.inventory.write(machines.slice(6));
    for (const name of fleetOfTen.slice(4, 6)) await scenario.untilSaid(name, 'DeletionHeld');
    await second.manager.says(/Engaged the deletion brake/, { absent: 6, owned: 10, limit: 5 });
    await untilPasses(scenario, second, 3);
    assert.equal(scenario.nodes.objects.size, 6);
  });

  it('ends by itself when the cloud sees its machines again, and no node was lost', async () => {
    const machines: readonly Machine[] = names.map((name, index) => aMachine(name, index + 1));
    await using scenario = await open({ machines });
    const operated = await fleet(scenario);
    const { manager, port } = operated;
    await scenario.inventory.write([]);
    await scenario.until(async () => (await port.metric('tandem_node_deletions_held')) === 25);
    await scenario.inventory.write(machines);
    await manager.says(/Disengaged the deletion brake/);
    await scenario.until(async () => (await port.metric('tandem_node_deletion_candidates')) === 0);
    assert.equal(await port.metric(engaged), 0);
    assert.equal(await port.metric('tandem_node_deletions_held'), 0);
    await untilPasses(scenario, operated, 2);
    assert.equal(scenario.nodes.objects.size, names.length);
  });
});

const engaged = 'tandem_node_deletion_brake_engaged';
const leasePath =
  '/apis/coordination.k8s.io/v1/namespaces/kube-system/leases/cloud-controller-manager';

async function memoryOf(scenario: Scenario): Promise<string> {
  const { metadata } = JSON.parse((await scenario.ask({ path: leasePath })).text);
  return metadata.annotations?.['tandem.dev/recent-node-deletions'] ?? '';
}

function reasonsOf(scenario: Scenario, name: string): string[] {
  return scenario.eventsOf(name).map(({ reason }) => reason);
}
