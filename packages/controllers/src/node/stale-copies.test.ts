/**
 * A request is refused for a missing address only on data fetched after the request was made (P3).
 */
import assert from 'node:assert/strict';
import type { LookupAnswer, Provider } from '@tandem/provider/plug';
import { createMetrics } from '@tandem/runtime';
import { seededRandom, type VirtualClock } from '@tandem/runtime/testing';
import { silentLogger } from '../../../../test/support/silent-logger.ts';
import { createStaticProvider } from '../../../../test/support/static-inventory.ts';
import { NodeWorld } from './node-world.fixture.ts';

const inventoryOf = (...addresses: string[]): string =>
  [
    'apiVersion: tandem.dev/v1alpha1',
    'kind: StaticInventory',
    'instances:',
    '  - name: a',
    '    addresses:',
    ...addresses.map((address) => `      - {type: InternalIP, address: "${address}"}`),
    '',
  ].join('\n');

/** A static provider that reads a file which the test rewrites. */
function staticProvider(clock: VirtualClock, file: { text: string }): Provider {
  const ports = { clock, random: seededRandom('static'), logger: silentLogger };
  const opening = createStaticProvider(
    { configPath: 'inventory.yaml', ...ports, metrics: createMetrics() },
    { version: async () => file.text, read: async () => file.text },
  );
  return {
    name: 'static',
    identify: (providerID) => (providerID.startsWith('static://') ? providerID : undefined),
    lookup: async (nodes, options) => (await opening).lookup(nodes, options),
    watch: (onChange, options) =>
      void opening.then((provider) => provider.watch?.(onChange, options)),
  };
}

describe('an edit of the inventory', () => {
  it('reaches a settled node within 2 s, at any time between two polls of the file', async () => {
    const file = { text: inventoryOf('10.0.0.1') };
    const world = new NodeWorld({ provider: (_, clock) => staticProvider(clock, file) });
    world.addNode({ name: 'a' });
    world.start();
    await world.clock.advance(20_000);
    assert.ok(world.node('a').isInitialised);
    for (let edit = 2; edit < 30; edit++) {
      file.text = inventoryOf(`10.0.0.${edit}`);
      await world.clock.advance(2_000);
      assert.equal(world.node('a').addresses[0], `InternalIP 10.0.0.${edit}`);
      // The next edit falls at another time between two polls.
      await world.clock.advance(1_000 + 37 * edit);
    }
  });

  it('reaches a node that it adds to the inventory within 2 s', async () => {
    const file = { text: inventoryOf('10.0.0.1').replace('name: a', 'name: b') };
    const world = new NodeWorld({ provider: (_, clock) => staticProvider(clock, file) });
    world.addNode({ name: 'a' });
    world.start();
    await world.clock.advance(900_000);
    assert.equal(world.node('a').isInitialised, false);
    file.text = inventoryOf('10.0.0.1');
    await world.clock.advance(2_000);
    assert.ok(world.node('a').isInitialised);
  });
});

describe('an address that is added to the inventory', () => {
  for (const annotatedAfterMs of [0, 100, 400, 700]) {
    it(`counts for a request made ${annotatedAfterMs} ms later`, async () => {
      const file = { text: inventoryOf('10.0.0.1') };
      const world = new NodeWorld({ provider: (_, clock) => staticProvider(clock, file) });
      world.addNode({ name: 'a' });
      world.start();
      await world.clock.advance(60_250);
      assert.ok(world.node('a').isInitialised);
      file.text = inventoryOf('10.0.0.1', 'fd00::1');
      await world.clock.advance(annotatedAfterMs);
      world.annotate('a', { 'tandem.dev/node-ip': 'IPv6' });
      await world.clock.advance(1_000);
      assert.deepEqual(world.reasons('a'), ['Synced', 'AddressesChanged']);
      assert.deepEqual(world.node('a').addresses[0], 'InternalIP fd00::1');
    });
  }
});

describe('a provider that keeps copies of its answers', () => {
  it('is asked for newer data before a request is refused for a missing address', async () => {
    const world = new NodeWorld({ cloud: { keepsCopies: true } });
    world.addMachine({ name: 'a', cloud: [{ type: 'InternalIP', address: '10.0.0.1' }] });
    world.start();
    await world.clock.advance(30_000);
    world.cloud.readdress('a', [{ type: 'InternalIP', address: 'fd00::1' }]);
    world.annotate('a', { 'tandem.dev/node-ip': 'IPv6' });
    await world.clock.advance(1_000);
    assert.deepEqual(world.reasons('a'), ['Synced', 'AddressesChanged']);
    assert.equal(world.node('a').addresses[0], 'InternalIP fd00::1');
  });

  it('and ignores the maximum age causes no refusal of the request', async () => {
    const copies = new Map<string, LookupAnswer>();
    const world = new NodeWorld({
      provider: (cloud) => ({
        name: 'forgetful',
        identify: (providerID) => cloud.identify(providerID),
        async lookup(nodes, options) {
          const answers = new Map(await cloud.lookup(nodes, options));
          for (const [name, answer] of answers) {
            const copy = copies.get(name) ?? answer;
            copies.set(name, copy);
            answers.set(name, copy);
          }
          return answers;
        },
      }),
    });
    world.addMachine({ name: 'a', cloud: [{ type: 'InternalIP', address: '10.0.0.1' }] });
    world.start();
    await world.clock.advance(30_000);
    world.annotate('a', { 'tandem.dev/node-ip': 'IPv6' });
    await world.clock.advance(60_000);
    assert.deepEqual(world.reasons('a').toSorted(), ['InstanceLookupFailed', 'Synced']);
    assert.match(
      world.events('a').find(({ reason }) => reason === 'InstanceLookupFailed')?.note ?? '',
      /data that is \d+ ms too old/,
    );
    assert.equal(world.node('a').addresses[0], 'InternalIP 10.0.0.1');
  });
});
