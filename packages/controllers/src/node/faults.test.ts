/**
 * Small clusters with random faults of the API server and the cloud, in which machines are added
 * and replaced, and requests change. After the faults every node is as an undisturbed manager would
 * leave it, and the manager writes nothing more. A failure names its seed; `liveIn(seed)` replays
 * it.
 */
import assert from 'node:assert/strict';
import { type Random } from '@tandem/runtime';
import { seededRandom } from '@tandem/runtime/testing';
import { drawFaultPlan, faultyTransport } from '../../../../test/support/api-faults/index.ts';
import { noFaults } from '../../../../test/support/simulated-cloud.ts';
import { NodeWorld } from './node-world.fixture.ts';

const worlds = 12;

describe('a cluster with random faults', () => {
  for (let number = 0; number < worlds; number += 6) {
    it(`ends with every node correct, seeds ${number} to ${number + 5}`, async () => {
      for (let seed = number; seed < number + 6; seed++) await liveIn(`node-controller/${seed}`);
    });
  }
});

async function liveIn(seed: string): Promise<void> {
  const random = seededRandom(seed).fork('life');
  const isLagging = random.next() < 0.5;
  const world = new NodeWorld({ seed, cloud: { lagMsMax: isLagging ? 3_000 : 0 } });
  // A lagging cloud may show the previous machine of that name, and no manager could know better.
  const doings = isLagging ? otherDoings : ['replace', ...otherDoings];
  const belongs = watchAddresses(world);
  const kinds = ['delay', 'reset-before', 'reset-after', 'conflict', 'too-many-requests'] as const;
  const more = ['unavailable', 'internal-error', 'truncated', 'lag'] as const;
  const faulty: { heal(): void }[] = [];
  world.start({
    workers: 1 + Math.floor(random.next() * 4),
    refreshPeriodMs: 60_000,
    wrap(inner) {
      const transport = faultyTransport(inner, {
        clock: world.clock,
        random: random.fork('api'),
        plan: { ...drawFaultPlan(random.fork('plan'), [...kinds, ...more]), delayMsMax: 5_000 },
      });
      faulty.push(transport);
      return transport;
    },
  });
  try {
    for (let step = 0; step < 12; step++) {
      disturb(world, { random, belongs, doings });
      await world.clock.advance(random.next() * 10_000);
    }
    world.cloud.set({ faults: noFaults });
    for (const transport of faulty) transport.heal();
    await world.clock.advance(10 * 60_000);
    for (const name of world.names()) assertInOrder(world, name);
    const writes = world.writes.length;
    await world.clock.advance(6 * 60_000);
    assert.equal(world.writes.length, writes, 'a settled cluster is written to');
  } catch (cause) {
    throw new Error(`seed ${seed}`, { cause });
  }
}

const requests = ['IPv4', 'IPv6', 'IPv4,IPv6', 'IPv6,IPv4', null];
const faultKinds = ['throttle', 'failure', 'partial', 'empty', 'garbage'] as const;

const otherDoings = ['request', 'request', 'readdress', 'cloud', 'heartbeat'];

function disturb(
  world: NodeWorld,
  {
    random,
    belongs,
    doings,
  }: {
    readonly random: Random;
    readonly belongs: Belongings;
    readonly doings: readonly string[];
  },
): void {
  const draw = <T>(list: readonly T[]): T | undefined =>
    list[Math.floor(random.next() * list.length)];
  const name = `n${Math.floor(random.next() * 5)}`;
  if (!world.hasNode(name)) {
    world.addMachine({ name });
    belongs.note(name);
    return;
  }
  switch (draw(doings)) {
    case 'replace':
      world.removeNode(name);
      world.cloud.terminate(name);
      world.addMachine({ name });
      break;
    case 'request':
      world.annotate(name, { 'tandem.dev/node-ip': draw(requests) ?? null });
      break;
    case 'readdress': {
      const octet = Math.floor(random.next() * 250);
      world.cloud.readdress(name, [
        { type: 'InternalIP', address: `fd01::${octet.toString(16)}` },
        { type: 'InternalIP', address: `10.1.0.${octet}` },
      ]);
      break;
    }
    case 'cloud':
      world.cloud.set({ faults: { ...noFaults, [draw(faultKinds) ?? 'lost']: random.next() } });
      break;
    default:
      world.heartbeat(name);
  }
  belongs.note(name);
}

interface Belongings {
  /** Remembers the addresses that the instance of that name has now. */
  note(name: string): void;
}

/** Asserts that a node only gets addresses that an instance of its name had at some time (P2). */
function watchAddresses(world: NodeWorld): Belongings {
  const had = new Map<string, Set<string>>();
  world.model.store.onChange((collection, { after }) => {
    if (collection !== 'nodes' || after === undefined) return;
    const { name } = after.metadata;
    for (const entry of world.node(name).addresses) {
      const isOwn = entry.startsWith('Hostname ') || had.get(name)?.has(entry);
      assert.ok(isOwn, `P2: ${name} got ${entry}`);
    }
  });
  return {
    note(name) {
      const known = had.get(name) ?? new Set();
      for (const { type, address } of world.cloud.find(name)?.addresses ?? []) {
        known.add(`${type} ${address}`);
      }
      had.set(name, known);
    },
  };
}

/** Expects all addresses of the instance, or the first of each family that the request names. */
function assertInOrder(world: NodeWorld, name: string): void {
  const node = world.node(name);
  const instance = world.cloud.find(name);
  assert.ok(node.isInitialised, `${name} is not initialised`);
  assert.equal(node.providerID, instance?.providerID);
  const stored = world.model.store.collection('nodes').get(name);
  const request = stored?.metadata.annotations?.['tandem.dev/node-ip'];
  const all = (instance?.addresses ?? []).map(({ type, address }) => `${type} ${address}`);
  const ofFamily = (family: string): string[] =>
    all.filter((entry) => entry.includes(':') === (family === 'IPv6')).slice(0, 1);
  const want = request === undefined ? all : request.split(',').flatMap(ofFamily);
  assert.deepEqual(node.addresses, [...want, `Hostname ${name}`], name);
}
