/**
 * Two replicas that allocate. A leader that is asked to end hands over at once; after one that was killed, the
 * next waits until no write of its predecessor's can be stored any more (P4). Initialisation never waits.
 */
import assert from 'node:assert/strict';
import type { CuttingProxy, Exchange } from '../../support/cutting-proxy/index.ts';
import { aMachine } from '../manager/inventory.ts';
import type { ManagerProcess } from '../manager/manager-process.ts';
import type { Scenario } from '../manager/scenario.ts';
import { hasTaint } from '../manager/seen-node.ts';
import { useInstallation } from '../manager/installation.ts';
import {
  assertNoneShared,
  isAllocation,
  numbered,
  podCIDRsOf,
  untilAllocated,
} from './allocation.ts';

const flags = ['--allocate-node-cidrs', '--cluster-cidr=10.244.0.0/16,fd00:10:244::/56'];

/** A Lease that expires soon, and is renewed in time on a busy machine. */
const shortLease = [
  '--leader-elect-lease-duration=5s',
  '--leader-elect-renew-deadline=4s',
  '--leader-elect-retry-period=500ms',
];
const waiting = /^Waiting to allocate until the last write of the previous leader has ended$/;

/** What such a Lease makes of the wait: the limit of a write, etcd's own, and the drift of clocks. */
const waitSeconds = 8;

interface Replica {
  readonly manager: ManagerProcess;
  readonly proxy: CuttingProxy;
}

describe('two replicas that allocate', function () {
  const { open } = useInstallation();
  this.timeout(120_000);

  async function startBoth(
    scenario: Scenario,
    election: readonly string[] = [],
  ): Promise<readonly [leader: Replica, standby: Replica]> {
    const start = async (): Promise<Replica> => {
      const proxy = await scenario.proxy();
      const manager = await scenario.start({ through: proxy, flags: [...flags, ...election] });
      return { proxy, manager };
    };
    const leader = await start();
    await leader.manager.says(/^Became leader$/);
    const standby = await start();
    await standby.manager.says(/standby/);
    return [leader, standby];
  }

  it('hand over without a wait when the leader is asked to end, while nodes keep coming', async () => {
    const names = numbered('coming', 60);
    const machines = names.map((name, index) => aMachine(name, index + 1));
    await using scenario = await open({ machines });
    const [leader, standby] = await startBoth(scenario);
    let ending: Promise<unknown> | undefined;
    for (const [index, name] of names.entries()) {
      await scenario.kubelet({ name }).register();
      if (index === 20) ending = leader.manager.stop();
    }
    assert.deepEqual(await ending, { code: 0, signal: null }, leader.manager.tail);
    await untilAllocated(scenario, names);
    assertNoneShared(scenario);
    for (const { proxy } of [leader, standby]) {
      assert.ok(proxy.writes.some(isAllocation), 'both of them allocated');
    }
    assert.ok(!standby.manager.log.some(({ msg }) => waiting.test(msg)), standby.manager.tail);
  });

  it('wait after a kill, so that a write that lands late takes nobody’s block', async () => {
    const machines = ['a-newcomer', 'written-late'].map((name, at) => aMachine(name, at + 1));
    await using scenario = await open({ machines });
    const [leader, standby] = await startBoth(scenario, shortLease);
    const held = Promise.withResolvers<void>();
    // The last write of the leader is on its way when the leader is killed, and arrives in the next term.
    leader.proxy.interfere({
      on: isAllocation,
      when: 'before',
      async act(): Promise<'pass'> {
        await leader.manager.kill();
        held.resolve();
        await standby.manager.says(waiting, { seconds: waitSeconds });
        return 'pass';
      },
    });
    await scenario.register({ name: 'written-late' });
    await held.promise;
    // First in the list of the next leader, which would give it the lowest block: the one on its way.
    await scenario.register({ name: 'a-newcomer' });
    await scenario.until(() =>
      scenario.nodes.history.some(
        (node) =>
          node.metadata.name === 'a-newcomer' && !hasTaint(node) && podCIDRsOf(node).length === 0,
      ),
    );
    await untilAllocated(scenario, ['a-newcomer', 'written-late']);
    assert.deepEqual(podCIDRsOf(scenario.node('written-late')), [
      '10.244.0.0/24',
      'fd00:10:244::/64',
    ]);
    assertNoneShared(scenario);

    const [{ receivedAtMs: tookOverMs } = assert.fail()] =
      standby.proxy.writes.filter(isLeaseWrite);
    const [first = assert.fail(), ...others] = standby.proxy.writes.filter(isAllocation);
    assert.ok(
      first.receivedAtMs - tookOverMs >= waitSeconds * 1_000,
      'it did not wait long enough',
    );
    assert.deepEqual(others, [], 'the late write served the other node');
  });
});

function isLeaseWrite({ kind, path }: Exchange): boolean {
  return kind === 'write' && path.startsWith('/apis/coordination.k8s.io/');
}
