/** What becomes of nodes on AWS whose instances are stopped, terminated or not to be read. */
import assert from 'node:assert/strict';
import { shutdownTaint } from '@tandem/core/lifecycle';
import { systemClock } from '@tandem/runtime';
import { anInstance, EC2Error, type FakeEC2 } from '../../support/ec2/index.ts';
import { openAWSCluster } from './aws-cluster.ts';
import { ipsOf } from './seen-node.ts';
import { useInstallation } from './installation.ts';

/** What an outage of EC2 looks like from here, until it is ended; nothing of it says that an instance is gone. */
const outages: readonly { readonly name: string; readonly begin: (ec2: FakeEC2) => () => void }[] =
  [
    {
      name: 'a page that a proxy serves in place of EC2',
      begin: (ec2) =>
        withFault(ec2, { kind: 'garbage', body: '<html><body>Sign in</body></html>' }),
    },
    {
      name: 'filters that find nothing',
      begin(ec2) {
        ec2.hasEmptyFilters = true;
        return () => (ec2.hasEmptyFilters = false);
      },
    },
    {
      name: 'a zone that is down',
      begin(ec2) {
        ec2.zonesDown.add('eu-west-1b');
        return () => ec2.zonesDown.clear();
      },
    },
    {
      name: 'an action that the policy no longer allows',
      begin(ec2) {
        ec2.denied.add('DescribeInstances');
        return () => ec2.denied.clear();
      },
    },
    {
      name: 'an internal error',
      begin: (ec2) =>
        withFault(ec2, { kind: 'refuse', error: new EC2Error('InternalError', 'An error', 500) }),
    },
  ];

/**
 * Longer than five passes, a second each: one with an answer from memory, one whose answer raises the doubt, two whose
 * answers count, and the deletion.
 */
const outageMs = 5_000;

describe('on AWS, a node', function () {
  const { open } = useInstallation();
  this.timeout(180_000);

  it('outlives every outage, is tainted while its instance is stopped, and deleted after its instance', async () => {
    await using cluster = await openAWSCluster(open, { flags: ['--node-deletion-grace=1s'] });
    const { scenario, ec2, manager } = cluster;
    const [gone, staying] = [anInstance(1), anInstance(2, { zone: 'eu-west-1b' })];
    for (const instance of [gone, staying]) {
      cluster.put(instance);
      await scenario.register({ name: instance.privateDnsName });
    }
    const names = [gone, staying].map(({ privateDnsName }) => privateDnsName);
    await scenario.untilInitialised(names);
    // Its request is refused, so that it has no providerID.
    const waiting = anInstance(3);
    cluster.put(waiting);
    await scenario.register({ name: waiting.privateDnsName, nodeIP: '10.9.9.9' });
    await scenario.untilSaid(waiting.privateDnsName, 'AddressNotFound');

    for (const [index, { name, begin }] of outages.entries()) {
      ec2.calls.length = 0;
      const end = begin(ec2);
      for (const each of [...names, waiting.privateDnsName]) await turnNotReady(each, index);
      const beganMs = systemClock.monotonic();
      await scenario.until(() => systemClock.monotonic() - beganMs > outageMs);
      end();
      assert(ec2.calls.includes('DescribeInstances'), name);
      for (const each of names) {
        assert(scenario.nodes.objects.has(each), `${name}: ${each}`);
        assert.equal(ipsOf(scenario.node(each)).length, 2, `${name}: ${each}`);
      }
      assert(scenario.nodes.objects.has(waiting.privateDnsName), `${name}: the waiting node`);
    }
    manager.assertRunning();

    cluster.put({ ...gone, state: 'stopped' });
    await scenario.until(() => isShutDown(gone.privateDnsName));
    assert(!isShutDown(staying.privateDnsName));
    cluster.put({ ...gone, state: 'terminated' });
    await scenario.until(() => !scenario.nodes.objects.has(gone.privateDnsName));
    assert(scenario.nodes.objects.has(staying.privateDnsName));
    cluster.put({ ...waiting, state: 'terminated' });
    await scenario.until(() => !scenario.nodes.objects.has(waiting.privateDnsName));

    /** A node that changes is looked up in the next pass; one that does not, less and less often. */
    async function turnNotReady(name: string, index: number): Promise<void> {
      const status = index % 2 === 0 ? 'Unknown' : 'False';
      await scenario.ask({
        method: 'PATCH',
        path: `/api/v1/nodes/${name}/status`,
        contentType: 'application/merge-patch+json',
        body: { status: { conditions: [{ type: 'Ready', status }] } },
      });
    }

    function isShutDown(name: string): boolean {
      const { taints = [] } = scenario.node(name).spec;
      return taints.some(({ key }) => key === shutdownTaint.key);
    }
  });
});

function withFault(ec2: FakeEC2, fault: NonNullable<FakeEC2['fault']>): () => void {
  ec2.fault = fault;
  return () => {
    ec2.fault = undefined;
  };
}
