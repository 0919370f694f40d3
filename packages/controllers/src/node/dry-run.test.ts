import assert from 'node:assert/strict';
import { World } from './world.fixture.ts';

describe('a dry run', () => {
  it('decides everything, writes nothing, and says each plan once', async () => {
    const world = new World();
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
    const would = { level: 'info', msg: 'Would have written to node' };
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
        { level: 'warn', msg: 'Refused node', node: 'asking', code: 'AddressNotFound' },
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
});
