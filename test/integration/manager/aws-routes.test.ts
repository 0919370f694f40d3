/**
 * All four controllers on AWS: nodes with addresses, pod CIDRs of both families and routes to them in every
 * table of the cluster, whatever EC2 does with calls in between.
 */
import assert from 'node:assert/strict';
import {
  anInstance,
  aTable,
  EC2Error,
  type FakeEC2,
  type FakeInstance,
  type Fault,
  throttled,
  withTable,
} from '../../support/ec2/index.ts';
import { openAWSCluster } from './aws-cluster.ts';
import { KillPoints, type ManagerRun } from './kill-points.ts';
import type { Scenario } from './scenario.ts';
import { ipsOf, networkConditionOf } from './seen-node.ts';
import { useInstallation } from './installation.ts';

const flags = [
  '--configure-cloud-routes=true',
  '--allocate-node-cidrs',
  '--cluster-cidr=10.244.0.0/20,fd00:10:244::/60',
  '--route-reconciliation-period=2s',
  '--leader-elect=false',
];
const tables = [aTable(1), aTable(2)];
const [first, second, third] = [anInstance(1), anInstance(2), anInstance(3)];
const foreign = { destination: '10.244.15.0/24', target: { gatewayId: 'igw-1' } };

describe('on AWS, routes to pods', function () {
  const { open } = useInstallation();
  this.timeout(240_000);

  it('are in all tables, are repaired, and go with their nodes', async () => {
    await using cluster = await openAWSCluster(open, { flags, prepare: withTables });
    const { scenario, ec2 } = cluster;
    for (const instance of [first, second]) {
      cluster.put(instance);
      await scenario.register({ name: instance.privateDnsName });
    }
    await scenario.until(() => hasRoutesOf(cluster, [first, second]));
    for (const { privateDnsName } of [first, second]) {
      await scenario.until(
        () => networkConditionOf(scenario.node(privateDnsName)) === 'False RouteCreated',
      );
    }
    // One call a route and table, and one an interface.
    assert.equal(countOf(ec2, 'CreateRoute'), 8);
    assert.equal(countOf(ec2, 'ModifyNetworkInterfaceAttribute'), 2);

    ec2.nextFaults.push(...faultsOf('ReplaceRoute', { kind: 'lose' }, inTrouble));
    misdirect(ec2, { from: first, to: second });
    await scenario.until(() => hasRoutesOf(cluster, [first, second]));
    assert.equal(ec2.nextFaults.length, 0);
    assert.equal(countOf(ec2, 'CreateRoute'), 8);

    ec2.nextFaults.push(...faultsOf('DeleteRoute', { kind: 'lose' }, inTrouble));
    cluster.put({ ...second, state: 'terminated' });
    await scenario.until(() => !scenario.nodes.objects.has(second.privateDnsName));
    await scenario.until(() => hasRoutesOf(cluster, [first]));
    for (const { id } of tables) {
      assert(ec2.state.tables.get(id)?.routes.some(({ target }) => target === foreign.target));
    }
  });

  it('reach what is wanted and then rest, although EC2 shows its tables as they were for a while', async () => {
    await using cluster = await openAWSCluster(open, { flags, prepare: withTables });
    const { scenario, ec2 } = cluster;
    const afterReads = async (count: number): Promise<void> => {
      const reads = countOf(ec2, 'DescribeRouteTables');
      await scenario.until(() => countOf(ec2, 'DescribeRouteTables') >= reads + count);
    };
    for (const instance of [first, second]) cluster.put(instance);
    await scenario.register({ name: first.privateDnsName });
    await scenario.until(() => hasRoutesOf(cluster, [first]));

    ec2.readsFrom = ec2.state;
    await scenario.register({ name: second.privateDnsName });
    await scenario.until(() => hasRoutesOf(cluster, [first, second]));
    await afterReads(3);
    ec2.readsFrom = undefined;
    await scenario.until(
      () => networkConditionOf(scenario.node(second.privateDnsName)) === 'False RouteCreated',
    );

    ec2.readsFrom = ec2.state;
    await scenario.deleteNode(second.privateDnsName);
    await scenario.until(() => hasRoutesOf(cluster, [first]));
    await afterReads(3);
    ec2.readsFrom = undefined;
    await afterReads(2);
    ec2.calls.length = 0;
    await afterReads(3);
    assert.deepEqual(
      ec2.calls.filter((action) => action.endsWith('Route')),
      [],
    );
    assert(hasRoutesOf(cluster, [first]));
    assertSettledOnce(scenario, [first, second]);
  });

  it('converge, whatever calls fail', async () => {
    await using cluster = await openAWSCluster(open, {
      flags,
      prepare: (ec2) => {
        withTables(ec2);
        ec2.nextFaults.push(...faults);
      },
    });
    const { scenario, ec2 } = cluster;
    const all = [first, second, third];
    for (const instance of all) {
      cluster.put(instance);
      await scenario.register({ name: instance.privateDnsName });
    }
    await scenario.until(() => hasRoutesOf(cluster, all), 120_000);
    for (const { privateDnsName } of all) {
      await scenario.until(
        () => networkConditionOf(scenario.node(privateDnsName)) === 'False RouteCreated',
      );
    }
    assert.deepEqual(ec2.nextFaults, [], 'some faults never happened');
    assertSettledOnce(scenario, all);
    // P2: at no moment had a node an address of another instance.
    for (const node of scenario.nodes.history) {
      const own = all.find(({ privateDnsName }) => privateDnsName === node.metadata.name);
      const known = own?.interfaces.flatMap(({ ipv4, ipv6 }) => [...ipv4, ...ipv6]) ?? [];
      for (const address of ipsOf(node)) assert(known.includes(address), address);
    }
  });

  it('converge after managers that were killed at each of their calls to EC2', async () => {
    await using cluster = await openAWSCluster(open, {
      // A manager that has no Lease waits before it allocates.
      flags: [
        ...flags,
        '--allocate-node-cidrs=false',
        '--cluster-cidr=10.244.0.0/16,fd00:10:244::/56',
      ],
      prepare: withTables,
    });
    const { scenario, ec2 } = cluster;
    const here: FakeInstance[] = [];
    let joined = 0;
    const join = async (): Promise<void> => {
      const number = ++joined;
      const instance = anInstance(number);
      cluster.put(instance);
      here.push(instance);
      const podCIDRs = [`10.244.${100 + number}.0/24`, `fd00:10:244:${number.toString(16)}::/64`];
      await scenario.register({ name: instance.privateDnsName, podCIDRs });
    };
    const isDone = (): boolean =>
      here.every(
        ({ privateDnsName }) =>
          networkConditionOf(scenario.node(privateDnsName)) === 'False RouteCreated',
      ) && hasRoutesOf(cluster, here);
    for (let node = 0; node < 4; node++) await join();
    await scenario.until(isDone);
    await cluster.manager.stop();

    const kills = new KillPoints(scenario);
    ec2.meet = async (call, when) => {
      const effect = /^Describe|dry run/.test(call.name) ? 'none' : 'state';
      return (await kills.meet(call, { kind: call.name, effect, when })) ? 'hang' : 'pass';
    };
    /** Two nodes leave with their instances, two join, and the routes of one lead to another. */
    const move = async (): Promise<void> => {
      for (const gone of here.splice(0, 2)) {
        cluster.put({ ...gone, state: 'terminated' });
        await scenario.deleteNode(gone.privateDnsName);
      }
      const [from, to] = here;
      assert(from !== undefined && to !== undefined);
      misdirect(ec2, { from, to });
      await join();
      await join();
    };
    const life: ManagerRun = { start: cluster.start, isDone };
    await move();
    await kills.record(life);
    assert.deepEqual(
      mustBeKilledAt.filter((point) => !kills.points.includes(point)),
      [],
    );
    while (kills.left.length > 0) {
      await move();
      await kills.kill(life);
    }
    await cluster.start();
    await scenario.until(isDone);
  });
});

/** Beside what the recording finds: without these calls it would be no recording of this story. */
const mustBeKilledAt = [
  'at a DescribeInstances',
  'at a DescribeRouteTables',
  ...['ModifyNetworkInterfaceAttribute', 'CreateRoute', 'ReplaceRoute', 'DeleteRoute'].flatMap(
    (action) => [
      `before the first ${action}`,
      `after the first ${action}`,
      `before a later ${action}`,
      `after a later ${action}`,
    ],
  ),
];

const inTrouble: Fault = { kind: 'refuse', error: new EC2Error('InternalError', 'An error', 500) };

const aPage: Fault = { kind: 'garbage', body: '<html><body>Sign in</body></html>' };

/** What happens to the first calls of each action. */
const faults = [
  ...faultsOf('DescribeInstances', { kind: 'reset' }, inTrouble),
  ...faultsOf('DescribeAvailabilityZones', inTrouble),
  ...faultsOf('DescribeRouteTables', { kind: 'reset' }),
  ...faultsOf('ModifyNetworkInterfaceAttribute', { kind: 'lose' }, aPage, inTrouble),
  ...faultsOf('CreateRoute', { kind: 'lose' }, throttled, { kind: 'reset' }),
];

function faultsOf(
  action: string,
  ...list: readonly Fault[]
): { readonly action: string; readonly fault: Fault }[] {
  return list.map((fault) => ({ action, fault }));
}

function withTables(ec2: FakeEC2): void {
  for (const table of tables) {
    ec2.state = withTable(ec2.state, { ...table, routes: [foreign] });
  }
}

/** Whether every table has the routes of these and no others, each to the first interface, which forwards. */
function hasRoutesOf(
  { scenario, ec2 }: { readonly scenario: Scenario; readonly ec2: FakeEC2 },
  instances: readonly FakeInstance[],
): boolean {
  const wanted = instances.flatMap(({ id, privateDnsName }) => {
    const { podCIDRs = [] } = scenario.node(privateDnsName).spec;
    const [one] = ec2.state.instances.get(id)?.interfaces ?? [];
    assert.equal(podCIDRs.length, 2);
    assert.equal(one?.sourceDestCheck, false);
    return podCIDRs.map((destination) => `${destination} ${one?.id}`);
  });
  for (const { id } of tables) {
    const routes = (ec2.state.tables.get(id)?.routes ?? []).flatMap(({ destination, target }) =>
      'interfaceId' in target ? [`${destination} ${target.interfaceId}`] : [],
    );
    assert.deepEqual(routes.toSorted(), wanted.toSorted());
  }
  return true;
}

/** Somebody else points the routes of one node at another. */
function misdirect(
  ec2: FakeEC2,
  { from, to }: { readonly from: FakeInstance; readonly to: FakeInstance },
): void {
  const [old = '', target = ''] = [from, to].map(({ interfaces }) => interfaces[0]?.id);
  for (const { id } of tables) {
    const table = ec2.state.tables.get(id) ?? assert.fail(`no table ${id}`);
    const routes = table.routes.map((route) =>
      'interfaceId' in route.target && route.target.interfaceId === old
        ? { ...route, target: { interfaceId: target } }
        : route,
    );
    ec2.state = withTable(ec2.state, { ...table, routes });
  }
}

/** A route that exists after a lost answer, is listed late, or is refused once costs no node its condition. */
function assertSettledOnce(
  { nodes }: Pick<Scenario, 'nodes'>,
  instances: readonly FakeInstance[],
): void {
  for (const { privateDnsName } of instances) {
    const conditions = nodes.history
      .filter(({ metadata }) => metadata.name === privateDnsName)
      .map(networkConditionOf);
    const settledAt = conditions.indexOf('False RouteCreated');
    assert(conditions.lastIndexOf('True NoRouteCreated') < settledAt, conditions.join(', '));
  }
}

function countOf({ calls }: FakeEC2, action: string): number {
  return calls.filter((call) => call === action).length;
}
