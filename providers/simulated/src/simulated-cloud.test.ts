import assert from 'node:assert/strict';
import type { LookupAnswer, LookupAnswers, NodeRef } from '@tandem/provider/plug';
import { createLogger, createMetrics } from '@tandem/runtime';
import { seededRandom, virtualClock, type VirtualClock } from '@tandem/runtime/testing';
import { type CloudSettings, createProvider, noFaults, SimulatedCloud } from './index.ts';

const nodeNamed = (name: string, providerID = ''): NodeRef => ({
  name,
  uid: 'u',
  providerID,
  labels: {},
  systemUUID: '',
});
const manyNodes = Array.from({ length: 250 }, (_, index) => nodeNamed(`node-${index}`));

function aCloud(
  settings: Partial<CloudSettings> = {},
  seed = 'cloud',
): { clock: VirtualClock; cloud: SimulatedCloud } {
  const clock = virtualClock();
  const cloud = new SimulatedCloud({ clock, random: seededRandom(seed), settings });
  return { clock, cloud };
}

async function ask(
  { clock, cloud }: ReturnType<typeof aCloud>,
  nodes: readonly NodeRef[],
): Promise<LookupAnswers> {
  const { signal } = new AbortController();
  const [answers] = await Promise.all([
    cloud.lookup(nodes, { maxAgeMs: 0, signal }),
    clock.advance(1_000),
  ]);
  return answers;
}

describe('simulated cloud', () => {
  it('shows new instances after a delay, and terminated ones for a while', async () => {
    const world = aCloud({ lagMsMax: 10_000 });
    const seen: string[] = [];
    const watch = async (): Promise<void> => {
      for (let second = 0; second < 10; second++) {
        seen.push((await ask(world, [nodeNamed('a')])).get('a')?.kind ?? 'none');
      }
    };
    world.cloud.create({ name: 'a' });
    await watch();
    world.cloud.terminate('a');
    await watch();
    assert.deepEqual(
      seen.filter((kind, index) => kind !== seen[index - 1]),
      ['absent', 'found', 'absent'],
    );
    assert.equal(seen[10], 'found');
  });

  it('counts pages of a hundred nodes', async () => {
    const world = aCloud();
    await ask(world, manyNodes);
    assert.deepEqual(world.cloud.counts, { lookups: 1, pages: 3, nodes: 250, throttled: 0 });
  });

  it('throttles a look-up that exceeds its pages per second, and says how long to wait', async () => {
    const world = aCloud({ pagesPerSecond: 2 });
    await assert.rejects(ask(world, manyNodes), { retry: { afterMs: 2_000 } });
    assert.equal(world.cloud.counts.throttled, 1);
    await world.clock.advance(1_000);
    assert.equal((await ask(world, manyNodes.slice(0, 200))).size, 200);
  });

  it('stops, starts and re-addresses instances, and gives a new instance with the same name its own providerID', async () => {
    const world = aCloud();
    const first = world.cloud.create({ name: 'a' });
    world.cloud.stop('a');
    const stopped = (await ask(world, [nodeNamed('a')])).get('a');
    assert.deepEqual(stopped, {
      kind: 'found',
      instance: { ...first, state: 'stopped' },
      asOfMs: 0,
    });
    world.cloud.start('a');
    world.cloud.terminate('a');
    const second = world.cloud.create({ name: 'a' });
    const readdressed = world.cloud.readdress('a', [{ type: 'InternalIP', address: '10.9.9.9' }]);
    const answers = await ask(world, [nodeNamed('a'), nodeNamed('old', first.providerID)]);
    assert.deepEqual(answers.get('a'), { kind: 'found', instance: readdressed, asOfMs: 1_000 });
    assert.deepEqual(answers.get('old'), { kind: 'absent', asOfMs: 1_000 });
    assert.notEqual(second.providerID, first.providerID);
  });

  it('with a cache, answers from it up to the age that the caller accepts, and states the age', async () => {
    const { clock, cloud } = aCloud({ keepsCopies: true });
    const { signal } = new AbortController();
    const first = cloud.create({ name: 'a' });
    const look = async (maxAgeMs: number): Promise<LookupAnswer | undefined> =>
      (await cloud.lookup([nodeNamed('a')], { maxAgeMs, signal })).get('a');
    await look(0);
    const second = cloud.readdress('a', [{ type: 'InternalIP', address: '10.9.9.9' }]);
    await clock.advance(5_000);
    assert.deepEqual(await look(6_000), { kind: 'found', instance: first, asOfMs: 0 });
    assert.deepEqual(await look(5_000), { kind: 'found', instance: second, asOfMs: 5_000 });
    assert.deepEqual(await look(60_000), { kind: 'found', instance: second, asOfMs: 5_000 });
  });

  it('returns partial, empty and nonsensical answers according to its faults', async () => {
    const world = aCloud();
    for (const { name } of manyNodes) world.cloud.create({ name });
    world.cloud.set({ faults: { ...noFaults, empty: 1 } });
    assert.equal((await ask(world, manyNodes)).size, 0);
    world.cloud.set({ faults: { ...noFaults, partial: 1 } });
    const { size } = await ask(world, manyNodes);
    assert(size > 0 && size < 250);
    world.cloud.set({ faults: { ...noFaults, garbage: 1 } });
    assert((await ask(world, manyNodes)).has('nobody-asked-for-this'));
  });

  it('fails the next look-up once after failNext', async () => {
    const world = aCloud();
    world.cloud.failNext();
    await assert.rejects(ask(world, manyNodes), { code: 'SimulatedFailure' });
    assert.equal((await ask(world, manyNodes)).size, 250);
  });

  it('never answers under the fault "lost", until the signal of the caller aborts', async () => {
    const { clock, cloud } = aCloud({ faults: { ...noFaults, lost: 1 } });
    const controller = new AbortController();
    const asking = cloud.lookup([nodeNamed('a')], {
      maxAgeMs: 60_000,
      signal: controller.signal,
    });
    clock.after(60_000, () => controller.abort(new Error('gave up')));
    await Promise.all([assert.rejects(asking, { message: 'gave up' }), clock.advance(60_000)]);
  });

  it('refuses credentials in look-ups and in the access check', async () => {
    const world = aCloud({ refusesCredentials: true });
    const refusal = { code: 'SimulatedCredentialsRefused', retry: 'never' };
    await assert.rejects(ask(world, manyNodes), refusal);
    const { signal } = new AbortController();
    await assert.rejects(world.cloud.checkAccess({ signal }), refusal);
    world.cloud.set({ refusesCredentials: false });
    await world.cloud.checkAccess({ signal });
    assert.equal((await ask(world, manyNodes)).size, 250);
  });

  it('behaves the same with the same seed, and differently with another', async () => {
    const trace = async (seed: string): Promise<string> => {
      const faults = { ...noFaults, throttle: 0.2, failure: 0.2, partial: 0.3 };
      const world = aCloud({ latencyMs: { min: 1, max: 90 }, lagMsMax: 5_000, faults }, seed);
      const lines: string[] = [];
      for (let round = 0; round < 20; round++) {
        world.cloud.create({ name: `node-${round}` });
        const line = await ask(world, manyNodes.slice(0, 20)).then(
          (answers) => [...answers].map(([name, { kind }]) => `${name} ${kind}`).join(),
          (err: unknown) => String(err),
        );
        lines.push(line);
      }
      return lines.join('\n');
    };
    const first = await trace('1');
    assert.equal(await trace('1'), first);
    assert.notEqual(await trace('2'), first);
  });

  it('creates an instance for every node when it is the provider of a program', async () => {
    const clock = virtualClock();
    const context = {
      clock,
      random: seededRandom('program'),
      logger: createLogger({ clock, destination: { write: () => {} } }),
      metrics: createMetrics(),
    };
    const provider = await createProvider({ ...context, configPath: undefined });
    const { signal } = new AbortController();
    const nodes = [nodeNamed('a'), nodeNamed('b'), nodeNamed('c', 'simulated:///zone-0/none')];
    const answers = await provider.lookup(nodes, { maxAgeMs: 60_000, signal });
    assert.deepEqual(
      [...answers.values()].map(({ kind }) => kind),
      ['found', 'found', 'absent'],
    );
    await assert.rejects(createProvider({ ...context, configPath: 'x' }), /Remove --cloud-config/);
  });
});
