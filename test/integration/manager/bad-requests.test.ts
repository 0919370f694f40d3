/**
 * Requests and nodes that are refused, all in one cluster: each is told in its event what was asked,
 * what the cloud has and what to do; its neighbours are initialised all the while; and what is set right
 * is picked up without a restart.
 */
import assert from 'node:assert/strict';
import { kubeletAnnotation, operatorAnnotation } from '@tandem/core/node-address';
import { describedEvents } from '../../support/kubectl.ts';
import { aMachine, internal, type Machine } from './inventory.ts';
import type { ManagerProcess } from './manager-process.ts';
import type { Scenario } from './scenario.ts';
import { addressesOf, hasTaint, ipsOf } from './seen-node.ts';
import { useInstallation } from './installation.ts';

const requests: readonly { value: string; code: string; says: RegExp }[] = [
  { value: '', code: 'InvalidSyntax', says: /empty/i },
  { value: ' ', code: 'InvalidSyntax', says: /IPv4/ },
  { value: 'ipv4', code: 'InvalidSyntax', says: /"ipv4"/ },
  { value: '10.4.0.3, fd00::3', code: 'InvalidSyntax', says: /blank|space/i },
  { value: '10.4.0.4/24', code: 'InvalidSyntax', says: /10\.4\.0\.4\/24/ },
  { value: 'fe80::1%eth0', code: 'InvalidSyntax', says: /%eth0/ },
  { value: 'a\u0000b\u202e', code: 'InvalidSyntax', says: /^[\x20-\x7e\u2018-\u201d…]+$/ },
  { value: 'x'.repeat(5_000), code: 'InvalidSyntax', says: /^.{1,1024}$/ },
  { value: '10.4.0.8,fd00::8,10.4.0.9', code: 'TooManyTokens', says: /10\.4\.0\.8/ },
  { value: 'IPv4,10.4.0.9', code: 'SameFamilyPair', says: /IPv4,10\.4\.0\.9/ },
  { value: '0.0.0.0,IPv6', code: 'UnspecifiedInPair', says: /0\.0\.0\.0/ },
  { value: '0.0.0.0', code: 'AddressNotFound', says: /0\.0\.0\.0/ },
  { value: '10.99.0.1', code: 'AddressNotFound', says: /10\.99\.0\.1.*10\.1\.0\.13/ },
  { value: 'IPv6,10.99.0.1', code: 'AddressNotFound', says: /10\.99\.0\.1/ },
];

describe('a cluster with bad requests', function () {
  const { open } = useInstallation();
  this.timeout(120_000);
  let scenario: Scenario;
  let manager: ManagerProcess;
  const names = requests.map((_, index) => `asks-${index}`);
  const machines: Machine[] = [
    ...names.map((name, index) => aMachine(name, index + 1)),
    aMachine('healthy', 100),
    { name: 'no-addresses', addresses: [] },
    { name: 'only-names', addresses: [{ type: 'InternalDNS', address: 'only-names.example' }] },
    aMachine('twin-a', 101, { providerID: 'static:///twin' }),
    aMachine('paused', 102),
    aMachine('bad-label', 103, { labels: { rack: 'not a label value!' } }),
    aMachine('disagreeing', 104),
    aMachine('other-cloud', 105),
    aMachine('settled', 106),
  ];

  before(async () => {
    scenario = await open({ machines });
    for (const [index, { value }] of requests.entries()) {
      const annotations = { [operatorAnnotation]: value };
      await scenario.register({ name: names[index] ?? '', annotations });
    }
    await scenario.register({ name: 'healthy' });
    await scenario.register({ name: 'no-addresses' });
    await scenario.register({ name: 'only-names', nodeIP: '10.4.1.1' });
    await scenario.register({ name: 'twin-a' });
    await scenario.register({ name: 'paused', annotations: { 'tandem.dev/paused': 'true' } });
    await scenario.register({ name: 'bad-label' });
    const annotations = { [operatorAnnotation]: 'IPv6' };
    await scenario.register({ name: 'disagreeing', nodeIP: '10.1.0.104', annotations });
    await scenario.register({ name: 'other-cloud', providerID: 'aws:///eu-west-1a/i-0123' });
    await scenario.register({ name: 'unlisted' });
    await scenario.register({ name: 'settled' });
    manager = await scenario.start();
  });

  after(() => scenario?.[Symbol.asyncDispose]());

  it('still gets its other nodes initialised', async () => {
    await scenario.untilInitialised(['healthy', 'settled', 'twin-a', 'disagreeing']);
    assert.deepEqual(addressesOf(scenario.node('healthy')), [
      'InternalIP 10.1.0.100',
      'InternalIP fd00:1::64',
      'Hostname healthy',
    ]);
  });

  for (const [index, { value, code, says }] of requests.entries()) {
    it(`reports ${code} for the request ${JSON.stringify(value.slice(0, 24))}`, async () => {
      const name = names[index] ?? '';
      const event = await scenario.untilSaid(name, code);
      assert.equal(event.type, 'Warning');
      assert.match(event.note, says);
      assert.ok(hasTaint(scenario.node(name)));
      assert.deepEqual(ipsOf(scenario.node(name)), []);
    });
  }

  it('keeps the taint of a machine without addresses, and an event says so', async () => {
    assert.match((await scenario.untilSaid('no-addresses', 'NoCloudAddresses')).note, /no address/);
    assert.ok(hasTaint(scenario.node('no-addresses')));
  });

  it('reports an instance that the cloud does not have', async () => {
    const { note } = await scenario.untilSaid('unlisted', 'InstanceNotFound');
    assert.match(note, /"unlisted".*stays tainted/);
    assert.ok(hasTaint(scenario.node('unlisted')));
  });

  it('writes only an event for a node of another cloud', async () => {
    const { note } = await scenario.untilSaid('other-cloud', 'ForeignProviderID');
    assert.match(note, /aws:\/\/\/eu-west-1a\/i-0123/);
    assert.ok(hasTaint(scenario.node('other-cloud')));
    assert.deepEqual(ipsOf(scenario.node('other-cloud')), []);
  });

  it('reports two annotations that request different addresses, and uses the operator’s', async () => {
    const { note } = await scenario.untilSaid('disagreeing', 'NodeIPRequestsDiffer');
    assert.ok(note.includes(operatorAnnotation) && note.includes(kubeletAnnotation), note);
    assert.deepEqual(ipsOf(scenario.node('disagreeing')), ['fd00:1::68']);
  });

  it('names an invalid label and its line in the event, and recovers once the file is mended', async () => {
    const { note } = await scenario.untilSaid('bad-label', 'InstanceLookupFailed');
    assert.match(note, /inventory\.yaml:\d+.*not a label value!/);
    assert.ok(hasTaint(scenario.node('bad-label')));
    const mended = aMachine('bad-label', 103, { labels: { rack: 'r1' } });
    await scenario.inventory.write(
      machines.map((machine) => (machine.name === mended.name ? mended : machine)),
    );
    await scenario.untilInitialised(['bad-label']);
    assert.equal(scenario.node('bad-label').metadata.labels?.['rack'], 'r1');
  });

  it('refuses a second node of one instance until the first is deleted', async () => {
    await scenario.untilInitialised(['twin-a']);
    await scenario.register({ name: 'twin-b', providerID: 'static:///twin' });
    const { note } = await scenario.untilSaid('twin-b', 'ProviderIDConflict');
    assert.match(note, /"twin-a"/);
    assert.ok(hasTaint(scenario.node('twin-b')));
    assert.deepEqual(ipsOf(scenario.node('twin-b')), []);
    await scenario.deleteNode('twin-a');
    await scenario.untilInitialised(['twin-b']);
    assert.deepEqual(ipsOf(scenario.node('twin-b')), ['10.1.0.101', 'fd00:1::65']);
  });

  it('reports a paused node once, leaves it alone, and continues when the pause ends', async () => {
    const { type } = await scenario.untilSaid('paused', 'Paused');
    assert.equal(type, 'Normal');
    assert.ok(hasTaint(scenario.node('paused')));
    assert.deepEqual(addressesOf(scenario.node('paused')), ['Hostname paused']);
    await scenario.annotate('paused', { 'tandem.dev/paused': null });
    await scenario.untilInitialised(['paused']);
  });

  it('keeps the addresses of a running node whose request becomes bad, and recovers immediately', async () => {
    await scenario.untilInitialised(['settled']);
    const granted = addressesOf(scenario.node('settled'));
    await scenario.annotate('settled', { [operatorAnnotation]: '10.99.0.2' });
    await scenario.untilSaid('settled', 'AddressNotFound');
    assert.deepEqual(addressesOf(scenario.node('settled')), granted);
    assert.ok(!hasTaint(scenario.node('settled')));
    await scenario.annotate('settled', { [operatorAnnotation]: 'IPv6,IPv4' });
    const turned = internal('fd00:1::6a', '10.1.0.106').map(
      ({ type, address }) => `${type} ${address}`,
    );
    await scenario.until(() => {
      assert.deepEqual(addressesOf(scenario.node('settled')), [...turned, 'Hostname settled']);
      return true;
    });
    await scenario.untilSaid('settled', 'AddressesChanged');
  });

  it('initialises a node once its request is corrected', async () => {
    for (const name of names) await scenario.annotate(name, { [operatorAnnotation]: 'IPv4' });
    await scenario.untilInitialised(names);
    for (const [index, name] of names.entries()) {
      assert.deepEqual(ipsOf(scenario.node(name)), [`10.1.0.${index + 1}`]);
    }
    manager.assertRunning();
  });

  it('explains every refusal in kubectl describe node', async () => {
    await scenario.untilSaid('healthy', 'Synced');
    const healthy = await describedEvents(scenario.controlPlane, 'healthy');
    assert.match(
      healthy.join('\n'),
      /^ +Normal +Synced +\S+ +cloud-node-controller +Node synced successfully: InternalIP 10\.1\.0\.100, InternalIP fd00:1::64 and Hostname healthy \(DS IPv4-primary\)\.$/m,
    );
    const asking = await describedEvents(scenario.controlPlane, names[12] ?? '');
    assert.match(
      asking.join('\n'),
      /Warning +AddressNotFound .*Requested address 10\.99\.0\.1 is not an address of the instance\. The cloud reports only 10\.1\.0\.13 and fd00:1::d \(InternalIP\)\. Request an address that the cloud reports or add this one to the instance\./,
    );
  });
});
