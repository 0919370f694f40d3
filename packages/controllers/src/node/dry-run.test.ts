import assert from 'node:assert/strict';
import { noFaults } from '../../../../test/support/simulated-cloud.ts';
import { NodeWorld } from './node-world.fixture.ts';

describe('a dry run', () => {
  it('plans for every node, writes nothing, and logs each plan once', async () => {
    const world = new NodeWorld();
    world.addMachine({ name: 'new' });
    world.addMachine({ name: 'asking', annotations: { 'tandem.dev/node-ip': '10.9.9.9' } });
    world.addReady('ready');
    world.cloud.readdress('ready', [{ type: 'InternalIP', address: '10.8.8.8' }]);
    const manager = world.start({ mode: 'dryRun' });
    await world.clock.advance(30 * 60_000);
    assert.deepEqual(world.writes, []);
    assert.deepEqual(world.events(), []);
    const said = manager.log.map(({ level, msg, node, action, code, from, to }) =>
      JSON.stringify({ level, msg, node, action, code, from, to }),
    );
    const would = { level: 'info', msg: 'Would write to node' };
    assert.deepEqual(
      said.toSorted(),
      [
        {
          ...would,
          node: 'new',
          action: 'writeAddresses',
          from: 'Hostname new',
          to: 'InternalIP 10.100.0.1, InternalIP fd00:100::1 and Hostname new',
        },
        { ...would, node: 'new', action: 'initialise' },
        {
          ...would,
          node: 'ready',
          action: 'writeAddresses',
          from: 'InternalIP 10.100.0.3 and InternalIP fd00:100::3',
          to: 'InternalIP 10.8.8.8',
        },
        { level: 'warn', msg: 'Would refuse node', node: 'asking', code: 'AddressNotFound' },
      ]
        .map((line) => JSON.stringify(line))
        .toSorted(),
    );
    assert.equal(await manager.metric('tandem_dry_run_writes_total{action="writeAddresses"}'), 2);
    assert.equal(await manager.metric('tandem_dry_run_writes_total{action="initialise"}'), 1);
    world.annotate('new', { 'tandem.dev/node-ip': 'IPv6' });
    await world.clock.advance(60_000);
    assert.equal(await manager.metric('tandem_dry_run_writes_total{action="writeAddresses"}'), 3);
    assert.deepEqual(world.writes, []);
    await manager.stop();
  });

  it('has a forecast for every node, and waits for a second answer if the cloud gave none', async () => {
    const world = new NodeWorld();
    world.addMachine({ name: 'new' });
    world.addMachine({ name: 'asking', annotations: { 'tandem.dev/node-ip': '10.9.9.9' } });
    world.addMachine({ name: 'paused', annotations: { 'tandem.dev/paused': 'true' } });
    world.addReady('ready');
    const decided = (node: string, ...actions: string[]) => ({ kind: 'decided', node, actions });
    world.cloud.set({ faults: { ...noFaults, failure: 1 } });
    const manager = world.start({ mode: 'dryRun' });
    assert.equal(manager.controller.forecasts(), undefined);
    await world.clock.advance(2_000);
    const kinds = () => manager.controller.forecasts()?.map(({ kind, node }) => `${node} ${kind}`);
    assert.deepEqual(kinds()?.toSorted(), [
      'asking pending',
      'new pending',
      'paused decided',
      'ready pending',
    ]);
    await world.clock.advance(70_000);
    assert.deepEqual(kinds()?.toSorted(), [
      'asking unknown',
      'new unknown',
      'paused decided',
      'ready unknown',
    ]);
    world.cloud.set({ faults: noFaults });
    await world.clock.advance(120_000);
    assert.deepEqual(
      manager.controller.forecasts()?.toSorted((a, b) => (a.node < b.node ? -1 : 1)),
      [
        { ...decided('asking'), reason: 'AddressNotFound' },
        decided('new', 'writeAddresses', 'initialise'),
        { ...decided('paused'), reason: 'Paused' },
        decided('ready'),
      ],
    );
    await manager.stop();
  });
});
