/**
 * Where routes are managed, the API server never stores a new node that pods can be scheduled to
 * and that is not marked as without a network.
 */
import assert from 'node:assert/strict';
import type { RouteRules } from '@tandem/core/node-init';
import { readPodCIDR } from '@tandem/core/allocation';
import type { TransportResponse } from '@tandem/kube/transport';
import type { StoredObject } from '../../../../test/support/embedded-api.ts';
import type { Manager } from './manager.fixture.ts';
import { type Interception, intercepting, isWrite } from './transports.fixture.ts';
import { NodeWorld } from './node-world.fixture.ts';

const managedRoutes: RouteRules = {
  clusterCIDRs: ['10.244.0.0/16', 'fd00:10:244::/48'].flatMap(
    (text) => readPodCIDR(text).cidr ?? [],
  ),
  families: ['IPv4', 'IPv6'],
  selector: undefined,
  allocates: true,
};
const initialised = {
  taints: ['node.kubernetes.io/network-unavailable'],
  network: 'True NoRouteCreated',
};

/** A cluster of one node with podCIDRs and one that will get them later. */
function aWorld(): NodeWorld {
  const world = new NodeWorld();
  world.addMachine({ name: 'a', podCIDRs: ['10.244.1.0/24', 'fd00:10:244:1::/64'] });
  world.addMachine({ name: 'b' });
  world.model.store.onChange((collection, { after }) => {
    if (collection === 'nodes' && after !== undefined) assertKeptAway(after);
  });
  return world;
}

function viewOf(object: StoredObject | undefined): { taints: string[]; network: string } {
  const { spec, status } = JSON.parse(JSON.stringify(object ?? {}));
  const conditions: { type: string; status: string; reason: string }[] = status?.conditions ?? [];
  const found = conditions.find(({ type }) => type === 'NetworkUnavailable');
  return {
    taints: (spec?.taints ?? []).map(({ key }: { key: string }) => key),
    network: found === undefined ? '' : `${found.status} ${found.reason}`,
  };
}

function assertKeptAway(object: StoredObject): void {
  const { taints, network } = viewOf(object);
  assert.notEqual(taints.length, 0, `${object.metadata.name} has no taint`);
  if (taints.includes(initialised.taints[0] ?? '')) assert.equal(network, initialised.network);
}

function assertInitialised(world: NodeWorld, message?: string): void {
  for (const name of ['a', 'b']) {
    assert.deepEqual(viewOf(world.model.store.collection('nodes').get(name)), initialised, message);
  }
}

describe('a node whose routes are not there yet', () => {
  it('is marked after its addresses are stored, and before the network taint replaces the first', async () => {
    const world = aWorld();
    const manager = world.start({ managedRoutes });
    await world.clock.advance(2_000);
    assertInitialised(world);
    for (const name of ['a', 'b']) {
      assert.deepEqual(
        world.writes.filter((write) => write.includes(` ${name}`)),
        [`PATCH ${name}/status`, `PATCH ${name}/status`, `PATCH ${name}`],
      );
    }
    assert.deepEqual(world.gets, []);
    await manager.stop();
  });

  it('is initialised with two writes and without a mark if routes are not managed', async () => {
    const world = new NodeWorld();
    world.addMachine({ name: 'a', podCIDRs: ['10.244.1.0/24'] });
    const manager = world.start();
    await world.clock.advance(2_000);
    assert.deepEqual(world.writes, ['PATCH a/status', 'PATCH a']);
    assert.deepEqual(viewOf(world.model.store.collection('nodes').get('a')), {
      taints: [],
      network: '',
    });
    await manager.stop();
  });

  for (const moment of ['before', 'after'] as const) {
    it(`is marked by the next manager when the first is killed ${moment} any call`, async () => {
      for (let fatal = 1; fatal <= 9; fatal++) {
        const world = aWorld();
        let count = 0;
        const kill: Interception = async (_, pass) => {
          const isFatal = ++count === fatal;
          if (isFatal && moment === 'before') {
            first.kill();
            return new Promise<never>(() => {});
          }
          const response = await pass();
          if (isFatal) first.kill();
          return response;
        };
        const first: Manager = world.start({ managedRoutes, wrap: intercepting(kill) });
        await world.clock.advance(2_000);
        const second = world.start({ managedRoutes });
        await world.clock.advance(2_000);
        assertInitialised(world, `killed ${moment} call ${fatal}`);
        await second.stop();
      }
    });
  }

  it('is marked although kubelet updates its status between any two writes', async () => {
    const world = aWorld();
    let reports = 0;
    const report: Interception = (request, pass) => {
      if (isWrite(request) && reports++ < 6)
        world.heartbeat(request.path.includes('/a') ? 'a' : 'b');
      return pass();
    };
    const manager = world.start({ managedRoutes, wrap: intercepting(report) });
    await world.clock.advance(5_000);
    assertInitialised(world);
    assert.notEqual(world.gets.length, 0);
    await manager.stop();
  });

  it('is read again if an answer lacks the resourceVersion that the mark depends on', async () => {
    const world = aWorld();
    const hideVersion: Interception = async (request, pass) => {
      const response = await pass();
      return isWrite(request) && String(request.body).includes('addresses')
        ? withoutVersion(response)
        : response;
    };
    const manager = world.start({ managedRoutes, wrap: intercepting(hideVersion) });
    await world.clock.advance(5_000);
    assertInitialised(world);
    assert.deepEqual([...new Set(world.gets)].toSorted(), ['/api/v1/nodes/a', '/api/v1/nodes/b']);
    assert.equal(world.writes.length, 6, 'no write is sent that cannot succeed');
    await manager.stop();
  });

  for (const when of ['before', 'after'] as const) {
    it(`keeps a condition that a network plugin writes right ${when} the addresses`, async () => {
      const world = new NodeWorld();
      world.addMachine({ name: 'a', podCIDRs: ['10.244.1.0/24'] });
      let hasWritten = false;
      const write = (): void => {
        if (!hasWritten) world.change('a', withCondition);
        hasWritten = true;
      };
      const plugin: Interception = async ({ method }, pass) => {
        if (when === 'before' && method === 'PATCH') write();
        const response = await pass();
        if (when === 'after' && world.writes.length > 0) write();
        return response;
      };
      const manager = world.start({ managedRoutes, wrap: intercepting(plugin) });
      await world.clock.advance(5_000);
      assert.deepEqual(viewOf(world.model.store.collection('nodes').get('a')), {
        taints: [],
        network: 'False CalicoIsUp',
      });
      await manager.stop();
    });
  }
});

function withCondition(node: StoredObject): StoredObject {
  const { status } = JSON.parse(JSON.stringify(node));
  const condition = { type: 'NetworkUnavailable', status: 'False', reason: 'CalicoIsUp' };
  return { ...node, status: { ...status, conditions: [...status.conditions, condition] } };
}

function withoutVersion(response: TransportResponse): TransportResponse {
  return { ...response, body: strip(response.body) };
}

async function* strip(body: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
  const chunks: Uint8Array[] = [];
  for await (const chunk of body) chunks.push(chunk);
  const object = JSON.parse(Buffer.concat(chunks).toString());
  if (object.kind === 'Node') delete object.metadata.resourceVersion;
  yield new TextEncoder().encode(JSON.stringify(object));
}
