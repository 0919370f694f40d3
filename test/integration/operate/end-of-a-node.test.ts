/**
 * The end of single nodes on a real control plane: who is deleted, when and under which name, and who
 * never is.
 */
import assert from 'node:assert/strict';
import type { CuttingProxy, Exchange } from '../../support/cutting-proxy/index.ts';
import { describedEvents } from '../../support/kubectl.ts';
import { aMachine, type Machine } from '../manager/inventory.ts';
import type { ManagerProcess } from '../manager/manager-process.ts';
import type { Scenario } from '../manager/scenario.ts';
import { ipsOf } from '../manager/seen-node.ts';
import { useInstallation } from '../manager/installation.ts';
import { operate, quickDeletion, untilPasses } from './operated.ts';

describe('a node whose machine is gone', function () {
  this.timeout(60_000);
  const { open } = useInstallation();

  it('is deleted after the grace, under its UID and version, and an event says why', async () => {
    const machines = [aMachine('gone', 1), aMachine('stays', 2)];
    await using scenario = await open({ machines });
    const proxy = await scenario.proxy();
    const { manager } = await operate(scenario, { through: proxy, flags: quickDeletion });
    for (const name of ['gone', 'stays']) await scenario.register({ name });
    await scenario.untilInitialised(['gone', 'stays']);
    const { uid } = scenario.node('gone').metadata;

    const goneAtMs = await rewrite(scenario, manager, machines.slice(1));
    await scenario.until(() => !scenario.nodes.objects.has('gone'));
    const [deletion, ...others] = deletionsIn(proxy);
    assert.ok(deletion !== undefined && others.length === 0, 'one deletion');
    assert.ok(deletion.receivedAtMs - goneAtMs >= 1_000, 'before the grace was over');
    const { preconditions } = JSON.parse(deletion.body);
    assert.equal(preconditions.uid, uid);
    assert.equal(preconditions.resourceVersion, lastVersionOf(scenario, uid));
    const said = await untilRecorded(scenario, uid, 'DeletingNode');
    assert.equal(said.type, 'Normal');
    assert.equal(said.reportingController, 'cloud-node-lifecycle-controller');
    assert.equal(said.note, 'Deleting node gone because it does not exist in the cloud provider');
    assert.ok(scenario.nodes.objects.has('stays'));
  });

  it('is spared when another one registers under its name as it is to be deleted', async () => {
    const old = aMachine('reborn', 1);
    const young: Machine = { ...aMachine('reborn', 9), providerID: 'static:///young/reborn' };
    await using scenario = await open({ machines: [old] });
    const proxy = await scenario.proxy();
    const operated = await operate(scenario, { through: proxy, flags: quickDeletion });
    await scenario.register({ name: 'reborn' });
    await scenario.untilInitialised(['reborn']);
    const { uid } = scenario.node('reborn').metadata;
    proxy.interfere({
      on: isNodeDeletion,
      nth: 1,
      when: 'before',
      async act(): Promise<'pass'> {
        await scenario.deleteNode('reborn');
        await rewrite(scenario, operated.manager, [young]);
        await scenario.register({ name: 'reborn' });
        return 'pass';
      },
    });
    await scenario.inventory.write([]);
    await scenario.until(() => deletionsIn(proxy)[0]?.status !== undefined);
    assert.deepEqual(
      deletionsIn(proxy).map(({ status }) => status),
      [409],
    );
    await scenario.untilInitialised(['reborn']);
    await untilPasses(scenario, operated, 2);
    assert.notEqual(scenario.node('reborn').metadata.uid, uid);
    assert.deepEqual(ipsOf(scenario.node('reborn')), ['10.1.0.9', 'fd00:1::9']);
    assert.equal(deletionsIn(proxy).length, 1);
  });

  it('is never deleted while it is Ready, nor when it becomes so at the last moment', async () => {
    const machines = [aMachine('ready', 1), aMachine('revived', 2)];
    await using scenario = await open({ machines });
    const proxy = await scenario.proxy();
    const operated = await operate(scenario, { through: proxy, flags: quickDeletion });
    const ready = await scenario.register({ name: 'ready' });
    const revived = await scenario.register({ name: 'revived' });
    await scenario.untilInitialised(['ready', 'revived']);
    await ready.heartbeat();
    let hasRevived = false;
    proxy.interfere({
      on: isNodeDeletion,
      nth: 1,
      when: 'before',
      async act(): Promise<'pass'> {
        await revived.heartbeat();
        hasRevived = true;
        return 'pass';
      },
    });
    await scenario.inventory.write([]);
    await scenario.until(() => hasRevived);
    await untilPasses(scenario, operated, 2);
    assert.deepEqual(
      deletionsIn(proxy).map(({ path, status }) => [path, status]),
      [['/api/v1/nodes/revived', 409]],
    );
    assert.deepEqual([...scenario.nodes.objects.keys()].toSorted(), ['ready', 'revived']);
  });
});

describe('a node without providerID', function () {
  this.timeout(60_000);
  const { open } = useInstallation();

  it('is deleted if its machine was found before, and never if it may be another cloud’s', async () => {
    const refused = aMachine('refused', 1);
    await using scenario = await open({ machines: [refused, aMachine('stays', 2)] });
    const proxy = await scenario.proxy();
    const operated = await operate(scenario, { through: proxy, flags: quickDeletion });
    // Found, but not initialised: nobody has such an address.
    await scenario.register({
      name: 'refused',
      annotations: { 'tandem.dev/node-ip': '203.0.113.9' },
    });
    await scenario.register({ name: 'stranger' });
    await scenario.untilSaid('refused', 'AddressNotFound');
    await scenario.untilSaid('stranger', 'InstanceNotFound');
    assert.equal(scenario.node('refused').spec.providerID, undefined);

    await rewrite(scenario, operated.manager, [aMachine('stays', 2)]);
    await scenario.until(() => !scenario.nodes.objects.has('refused'));
    await untilPasses(scenario, operated, 5);
    assert.deepEqual(
      deletionsIn(proxy).map(({ path }) => path),
      ['/api/v1/nodes/refused'],
    );
    assert.ok(scenario.nodes.objects.has('stranger'));
  });
});

describe('a node whose machine is stopped', function () {
  this.timeout(60_000);
  const { open } = useInstallation();

  it('has the shutdown taint until the machine runs or the node is Ready, and stays', async () => {
    const machine = aMachine('sleeper', 1);
    const stopped: Machine = { ...machine, state: 'stopped' };
    await using scenario = await open({ machines: [machine] });
    const operated = await operate(scenario, { flags: quickDeletion });
    const kubelet = await scenario.register({ name: 'sleeper' });
    await scenario.untilInitialised(['sleeper']);

    await scenario.inventory.write([stopped]);
    await scenario.until(() => shutdownTaintsOf(scenario).length > 0);
    assert.deepEqual(shutdownTaintsOf(scenario), [{ key: shutdown, effect: 'NoSchedule' }]);
    await scenario.untilSaid('sleeper', 'NodeShutdown');
    const described = await describedEvents(scenario.controlPlane, 'sleeper');
    assert.match(
      described.join('\n'),
      /Normal +NodeShutdown .* cloud-node-lifecycle-controller +Node sleeper is shut down in the cloud provider\. No new pods are scheduled to it\./,
    );
    await scenario.inventory.write([{ ...machine, state: 'running' }]);
    await scenario.until(() => shutdownTaintsOf(scenario).length === 0);

    await scenario.inventory.write([stopped]);
    await scenario.until(() => shutdownTaintsOf(scenario).length > 0);
    await kubelet.heartbeat();
    await scenario.until(() => shutdownTaintsOf(scenario).length === 0);
    await untilPasses(scenario, operated, 2);
    assert.deepEqual(shutdownTaintsOf(scenario), []);
    const written = 'tandem_node_shutdown_taints_total';
    for (const action of ['add', 'remove']) {
      const sample = `${written}{action="${action}",outcome="applied"}`;
      assert.equal(await operated.port.metric(sample), 2, sample);
    }
  });
});

const shutdown = 'node.cloudprovider.kubernetes.io/shutdown';

function shutdownTaintsOf(scenario: Scenario): unknown[] {
  return (scenario.node('sleeper').spec.taints ?? []).filter(({ key }) => key === shutdown);
}

function isNodeDeletion({ method, path }: Exchange): boolean {
  return method === 'DELETE' && path.startsWith('/api/v1/nodes/');
}

function deletionsIn({ exchanges }: CuttingProxy): Exchange[] {
  return exchanges.filter(isNodeDeletion);
}

/** Writes the inventory, and tells when the manager had read it. */
async function rewrite(
  scenario: Scenario,
  manager: ManagerProcess,
  machines: readonly Machine[],
): Promise<number> {
  const reads = (): string[] =>
    manager.log.filter(({ msg }) => msg === 'Read inventory').map(({ ts }) => String(ts));
  const before = reads().length;
  await scenario.inventory.write(machines);
  await scenario.until(() => reads().length > before);
  return Date.parse(reads()[before] ?? '');
}

function lastVersionOf(scenario: Scenario, uid: string): string | undefined {
  const states = scenario.nodes.history.filter(({ metadata }) => metadata.uid === uid);
  return states.at(-1)?.metadata.resourceVersion;
}

async function untilRecorded(
  scenario: Scenario,
  uid: string,
  reason: string,
): Promise<{ readonly type: string; readonly note: string; readonly reportingController: string }> {
  const find = () =>
    [...scenario.events.objects.values()].find(
      (event) => event.regarding.uid === uid && event.reason === reason,
    );
  await scenario.until(() => find() !== undefined);
  const found = find();
  assert.ok(found !== undefined);
  return found;
}
