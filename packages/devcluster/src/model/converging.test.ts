/**
 * The embedded cluster, simulated kubelets and a simulated cloud together with the manager's shipped code, in
 * virtual time. The manager must find everything here that it finds on a real API server.
 */
import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { App } from '@tandem/manager/app';
import { noConfiguration } from '@tandem/manager/config';
import { joinConfiguration, parseCommandLine } from '@tandem/manager/flags';
import { SimulatedCloud } from '@tandem/provider-simulated';
import { createLogger, createMetrics, seededIds } from '@tandem/runtime';
import { seededRandom, type VirtualClock, virtualClock } from '@tandem/runtime/testing';
import { readKepRows } from '../../../../test/support/vectors.ts';
import { at, listAt, textAt } from '../json/index.ts';
import { SimulatedKubelet } from '../kubelet/index.ts';
import { createCluster, type EmbeddedCluster } from './embedded-cluster.ts';

interface Converging {
  readonly clock: VirtualClock;
  readonly cluster: EmbeddedCluster;
  /** A digest of all changes, in order. */
  readonly trace: () => string;
  readonly stop: () => Promise<void>;
}

const rows = readKepRows();

/** One node for each row of the KEP's tables, with a kubelet that implements it. */
async function startKepWorld(seed: string): Promise<Converging> {
  const clock = virtualClock({ startMs: Date.UTC(2026, 0, 1) });
  const random = seededRandom(seed);
  const cluster = createCluster({ clock, random: random.fork('cluster') });
  const hash = createHash('sha256');
  cluster.store.onChange((collection, change) => {
    hash.update(`${collection} ${JSON.stringify(change)}\n`);
  });
  const cloud = new SimulatedCloud({ clock, random });
  const ports = { transport: cluster.connect({ latencyMs: 0 }), clock, ids: seededIds(random) };
  for (const [index, { nodeIP, cloud: addresses }] of rows.entries()) {
    const name = `row-${index}`;
    cloud.create({ name, addresses });
    await new SimulatedKubelet(ports, { name, nodeIP, kind: 'kep' }).register();
  }
  const stop = startManager({ clock, cluster, cloud, seed });
  return { clock, cluster, trace: () => hash.digest('hex'), stop };
}

function startManager(options: {
  readonly clock: VirtualClock;
  readonly cluster: EmbeddedCluster;
  readonly cloud: SimulatedCloud;
  readonly seed: string;
}): () => Promise<void> {
  const { clock, cluster, cloud, seed } = options;
  const random = seededRandom(`${seed}/manager`);
  const metrics = createMetrics();
  const line = parseCommandLine(['--cloud-provider=simulated']);
  if (line.kind !== 'run') throw new Error('the command line is wrong');
  const app = new App(
    {
      clock,
      random,
      ids: seededIds(random),
      logger: createLogger({ clock, destination: { write: () => undefined } }),
      metrics,
      transport: cluster.connect(),
      server: 'https://embedded',
      hostname: 'manager',
    },
    joinConfiguration(line, noConfiguration).settings,
  );
  const abort = new AbortController();
  const followed = app.follow(abort.signal);
  const ended = app.run(cloud, abort.signal);
  return async () => {
    abort.abort(new Error('enough'));
    await clock.advance(20_000);
    await Promise.all([followed, ended]);
  };
}

const uninitialized = 'node.cloudprovider.kubernetes.io/uninitialized';

/** All but the host name, which the kubelet wrote. */
function addressesOf(node: unknown): string[] {
  return listAt(node, 'status', 'addresses')
    .filter((address) => textAt(address, 'type') !== 'Hostname')
    .map((address) => textAt(address, 'address'));
}

describe('the manager on the embedded cluster', () => {
  it('gives every node of the KEP its addresses, and leaves nodes tainted that the KEP refuses', async () => {
    const { clock, cluster, stop } = await startKepWorld('kep');
    await clock.advance(10_000);
    for (const [index, { addresses, annotation }] of rows.entries()) {
      const node = cluster.store.collection('nodes').get(`row-${index}`);
      const isTainted = JSON.stringify(at(node, 'spec', 'taints') ?? []).includes(uninitialized);
      assert.equal(isTainted, addresses === null, `row ${index}: ${annotation}`);
      if (addresses !== null) assert.deepEqual(addressesOf(node), addresses, `row ${index}`);
    }
    await stop();
    assert.equal(clock.pending, 0);
  });

  it('reports refused nodes in events that kubectl describe would find', async () => {
    const { clock, cluster, stop } = await startKepWorld('events');
    await clock.advance(10_000);
    const refused = rows.findIndex(({ addresses }) => addresses === null);
    const node = cluster.store.collection('nodes').get(`row-${refused}`);
    const events = cluster.store
      .collection('events')
      .list()
      .filter((event) => textAt(event, 'involvedObject', 'uid') === node?.metadata.uid);
    assert.ok(events.some((event) => textAt(event, 'type') === 'Warning'));
    await stop();
  });

  it('takes the same steps for the same seed, to the byte', async () => {
    const traces: string[] = [];
    for (const seed of ['one', 'one', 'two']) {
      const { clock, trace, stop } = await startKepWorld(seed);
      await clock.advance(60_000);
      await stop();
      traces.push(trace());
    }
    assert.equal(traces[0], traces[1]);
    assert.notEqual(traces[0], traces[2]);
  });
});
