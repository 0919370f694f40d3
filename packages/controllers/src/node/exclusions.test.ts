import assert from 'node:assert/strict';
import { type Exclusion, readVips } from '@tandem/core/node-address';
import type { EventView } from '../loop/test-cluster.fixture.ts';
import { NodeWorld } from './node-world.fixture.ts';

const read = readVips({ apiVIP: '10.100.0.1' });
const exclusions: readonly Exclusion[] =
  read.kind === 'exclusions' ? read.exclusions : assert.fail('the VIP is one');
const operators = 'tandem.dev/node-ip';

/** The events on a node whose only IPv4 address, 10.100.0.1, is the API VIP. */
async function eventsOf(annotations: Record<string, string>): Promise<readonly EventView[]> {
  const world = new NodeWorld();
  world.addMachine({ name: 'a', annotations });
  world.start({ settings: { exclusions } });
  await world.clock.advance(2_000);
  return world.events('a');
}

describe('an excluded address', () => {
  it('is named, with what excludes it, in the event of an initialisation without it', async () => {
    const [event, ...others] = await eventsOf({});
    assert.deepEqual(others, []);
    assert.equal(
      event?.note,
      'Node synced successfully: InternalIP fd00:100::1 and Hostname a (SS IPv6). 10.100.0.1 is excluded (API VIP).',
    );
    assert.equal(event.type, 'Normal');
  });

  it('is named in the event of a request that is refused because of it', async () => {
    const [event] = await eventsOf({ [operators]: 'IPv4' });
    assert.equal(event?.reason, 'NoAddressOfFamily');
    assert.equal(
      event.note,
      'Request "IPv4" needs an IPv4 address, but the cloud reports only fd00:100::1 (InternalIP), plus 10.100.0.1, which is excluded (API VIP). Give the instance another IPv4 address or request IPv6. tandem.dev/node-ip requests "IPv4".',
    );
  });

  it('is named where the kubelet requests it and the operator another one', async () => {
    const kubelets = 'alpha.kubernetes.io/provided-node-ip';
    const events = await eventsOf({ [operators]: 'IPv6', [kubelets]: '10.100.0.1' });
    const differ = events.find(({ reason }) => reason === 'NodeIPRequestsDiffer');
    assert.match(differ?.note ?? '', /\. 10\.100\.0\.1 is excluded \(API VIP\)\.$/);
  });

  it('that a node loses causes a Warning that gives the reason', async () => {
    const world = new NodeWorld();
    world.addMachine({ name: 'a' });
    const first = world.start();
    await world.clock.advance(2_000);
    await first.stop();
    const before = world.node('a').addresses;
    assert.deepEqual(before.slice(0, 1), ['InternalIP 10.100.0.1']);
    const manager = world.start({ settings: { exclusions } });
    await world.clock.advance(10_000);
    const changed = world.events('a').filter(({ reason }) => reason === 'AddressesChanged');
    assert.deepEqual(
      changed.map(({ type, note }) => [type, note]),
      [
        [
          'Warning',
          "Addresses changed from InternalIP 10.100.0.1, InternalIP fd00:100::1 and Hostname a to InternalIP fd00:100::1 and Hostname a (SS IPv6). They follow the cloud's list, because there is no request. 10.100.0.1 is excluded (API VIP).",
        ],
      ],
    );
    assert.deepEqual(manager.messages('warn'), ['Changed node addresses']);
  });

  it('that the node never had does not turn a change of other addresses into a Warning', async () => {
    const world = new NodeWorld();
    const vip = { type: 'InternalIP', address: '10.100.0.1' };
    world.addMachine({ name: 'a', cloud: [vip, { type: 'InternalIP', address: '10.9.9.9' }] });
    world.start({ settings: { exclusions } });
    await world.clock.advance(2_000);
    world.cloud.readdress('a', [vip, { type: 'InternalIP', address: '10.9.9.8' }]);
    await world.clock.advance(600_000);
    const changed = world.events('a').find(({ reason }) => reason === 'AddressesChanged');
    assert.equal(changed?.type, 'Normal');
    assert.match(
      changed.note,
      /InternalIP 10\.9\.9\.8.*\. 10\.100\.0\.1 is excluded \(API VIP\)\.$/,
    );
  });
});
