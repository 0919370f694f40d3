/** Tests what an informer keeps after half an hour of churn: only its live objects. */
import assert from 'node:assert/strict';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { createLogger, createMetrics } from '@tandem/runtime';
import { seededRandom, virtualClock } from '@tandem/runtime/testing';
import { createNodeReader } from '../node/index.ts';
import { Informer } from './informer.ts';
import { scriptedClient } from './scripted-client.fixture.ts';

setFlagsFromString('--expose-gc');
const collectGarbage: () => void = runInNewContext('gc');

function heapBytes(): number {
  collectGarbage();
  collectGarbage();
  return process.memoryUsage().heapUsed;
}

const liveObjects = 2000;
const bytesPerObjectMax = 1.5 * 1024;

/** Enough objects to fill everything of a fixed size, such as the table of shared strings. */
const fillingObjects = 1200;
const bytesPerGoneObjectMax = 24;

describe('the memory of an informer', function () {
  this.slow(2_000);

  it('is at most 1.5 KB for each live object after 30 minutes of churn', async () => {
    // A first run compiles and loads all code before the measurement.
    await churn({ minutes: 1 });
    const { startBytes, endBytes } = await churn({ minutes: 30 });
    const perObject = (endBytes - startBytes) / liveObjects;
    assert.ok(perObject <= bytesPerObjectMax, `${Math.round(perObject)} bytes for each`);
  });

  it('has nothing of deleted objects', async () => {
    const gone = 10_000;
    const perObject = (await growth({ gone })) / gone;
    // A key in a table alone would take more; the noise of the process is less.

    assert.ok(perObject < bytesPerGoneObjectMax, `${perObject} bytes for each`);
  });
});

/** The heap with an informer of an empty collection, and after this many minutes of churn. */
async function churn({ minutes }: { readonly minutes: number }) {
  const { clock, client, informer, send, stop } = await follow();
  const startBytes = heapBytes();
  let created = 0;
  for (; created < liveObjects; created += 1) send('ADDED', created);
  // Every three seconds some nodes send heartbeats and one is replaced; every five minutes the watch ends.
  for (let round = 0; round < minutes * 20; round += 1) {
    await clock.advance(3000);
    for (let beat = 0; beat < 4; beat += 1) {
      send('MODIFIED', created - 1 - ((round * 4 + beat) % 1900));
    }
    send('DELETED', created - liveObjects);
    send('ADDED', created);
    created += 1;
    if (round % 100 === 99) client.watch().end();
  }
  await clock.advance(1000);
  const endBytes = heapBytes();
  assert.equal(informer.facts.objects, liveObjects);
  await stop();
  return { startBytes, endBytes };
}

/** How much the heap grows while this many nodes come and go, once all tables are full. */
async function growth({ gone }: { readonly gone: number }): Promise<number> {
  const { clock, send, stop, informer } = await follow();
  let created = 0;
  const replace = async (count: number): Promise<number> => {
    for (const end = created + count; created < end; created += 1) {
      send('ADDED', created);
      if (created > 0) send('DELETED', created - 1);
      if (created % 50 === 0) await clock.advance(1000);
    }
    await clock.advance(1000);
    return heapBytes();
  };
  const startBytes = await replace(fillingObjects);
  const endBytes = await replace(gone);
  assert.equal(informer.facts.objects, 1);
  await stop();
  return endBytes - startBytes;
}

/** An informer that is synced with an empty collection, and functions to send changes and to stop. */
async function follow() {
  const clock = virtualClock();
  const client = scriptedClient();
  const informer = new Informer({
    client,
    clock,
    random: seededRandom('heap'),
    logger: createLogger({ clock, level: 'error' }),
    metrics: createMetrics(),
    resource: { group: '', version: 'v1', resource: 'nodes' },
    reader: createNodeReader(),
  });
  const stopping = new AbortController();
  const running = informer.run(stopping.signal);
  let version = 1;
  await clock.advance(0);
  client.watch().bookmark('1', { endsList: true });
  await clock.advance(1000);
  return {
    clock,
    client,
    informer,
    send: (type: string, number: number): void => {
      version += 1;
      client.watch().send(type, aNode(number, version));
    },
    stop: async (): Promise<void> => {
      stopping.abort();
      await running;
    },
  };
}

function aNode(number: number, version: number): object {
  const name = `node-${number}`;
  const four = `10.${number >> 16}.${(number >> 8) & 255}.${number & 255}`;
  const six = `fd00::${number.toString(16)}`;
  return {
    metadata: {
      name,
      uid: `00000000-0000-4000-8000-${String(number).padStart(12, '0')}`,
      resourceVersion: String(version),
      creationTimestamp: '2026-03-01T12:00:00Z',
      labels: {
        'beta.kubernetes.io/arch': 'amd64',
        'beta.kubernetes.io/os': 'linux',
        'kubernetes.io/arch': 'amd64',
        'kubernetes.io/hostname': name,
        'kubernetes.io/os': 'linux',
        'node.kubernetes.io/instance-type': 'm7i.large',
        'topology.kubernetes.io/region': 'eu-central-1',
        'topology.kubernetes.io/zone': `eu-central-1${'abc'[number % 3]}`,
      },
      annotations: { 'alpha.kubernetes.io/provided-node-ip': four, 'example.com/other': 'dropped' },
    },
    spec: {
      providerID: `static:///rack-${number % 40}/${name}`,
      podCIDRs: [`${four}/24`, `${six}/64`],
      taints: [{ key: 'example.com/pool', value: 'general', effect: 'NoSchedule' }],
    },
    status: {
      conditions: [
        {
          type: 'Ready',
          status: 'True',
          lastHeartbeatTime: '2026-03-01T12:00:00Z',
          lastTransitionTime: '2026-03-01T12:00:00Z',
        },
      ],
      addresses: [
        { type: 'InternalIP', address: four },
        { type: 'InternalIP', address: six },
        { type: 'Hostname', address: name },
      ],
      nodeInfo: { bootID: `11111111-0000-4000-8000-${String(number).padStart(12, '0')}` },
    },
  };
}
