/**
 * What an informer costs: 5,000 nodes of 9.4 KB on a real API server, read in each encoding by a program that is
 * bundled and started like the manager. The bench compares the time to sync with one raw read of the same bytes by the
 * same client. Both take turns, each run in a new process. The environment variables `BENCH_NODES` and `BENCH_SECONDS`
 * make the bench smaller.
 */
import { join } from 'node:path';
import { sleep } from '@tandem/runtime';
import type { ControlPlane } from '../../control-plane/index.ts';
import { bundleForBench } from '../bundle.ts';
import { Cluster } from '../contest/cluster.ts';
import type { Figures } from '../contest/figures.ts';
import { readCount } from '../contest/settings.ts';
import { median } from '../median.ts';
import type { BenchPorts, Report, Target } from '../report.ts';
import type { Load } from './load.ts';
import { MeasuredProcess, type Measurement } from './measured-process.ts';

const encodings = ['protobuf', 'json'] as const;
type Encoding = (typeof encodings)[number];

/**
 * Runs of each kind, in turns. Server and client share the processors of one machine: with five runs, the ratio of the
 * medians varied from 0.9 to 1.5, where the long-run ratio is 1.2.
 */
const runs = 21;

/** Three updates of each node, as in an initialisation. */
const updatesPerNode = 3;

/** Of 5,000 kubelets that report every five minutes. */
const beatsPerSecond = 17;

export function benchInformer(ports: BenchPorts): Promise<Report> {
  const nodes = readCount('BENCH_NODES', 5_000);
  const seconds = readCount('BENCH_SECONDS', 60);
  return Cluster.with(ports, async (cluster, folder) => {
    const measured = join(import.meta.dirname, 'measured', 'main.ts');
    const program = (await bundleForBench(folder, { measured }))('measured');
    const load = await cluster.load();
    ports.say(`creating ${nodes} nodes`);
    await load.createNodes(nodes);
    const { controlPlane } = cluster;
    const setup: InformerBench = { ports, controlPlane, load, program, nodes, seconds };
    const lists = await measureLists(setup);
    const changes = await measureChanges(setup);
    return report({ nodes, ...lists, ...changes });
  });
}

interface InformerBench {
  readonly ports: BenchPorts;
  readonly controlPlane: ControlPlane;
  readonly load: Load;
  readonly program: string;
  readonly nodes: number;
  readonly seconds: number;
}

/** New processes that list once and end: a raw read and an informer in turns, in both encodings. */
async function measureLists(setup: InformerBench): Promise<Figures> {
  const { ports, controlPlane, program } = setup;
  const measured = new Map<string, { measurement: Measurement; serverMs: number }[]>();
  // One encoding after the other: the API server would collect the garbage of a list in JSON while the next list in
  // protobuf is measured.
  for (const encoding of encodings) {
    for (let run = 0; run < runs; run += 1) {
      ports.say(`listing in ${encoding}, run ${run + 1} of ${runs}`);
      // The two alternate, because the garbage of the first costs the second.
      for (const what of run % 2 === 0 ? ['raw', 'sync'] : ['sync', 'raw']) {
        const measuring = new MeasuredProcess(program, [what, encoding, controlPlane.kubeconfig]);
        await untilQuiet(setup);
        const serverSeconds = await controlPlane.cpuSeconds();
        const measurement = await measuring.ask('begin');
        const serverMs = ((await controlPlane.cpuSeconds()) - serverSeconds) * 1000;
        await measuring.end();
        const key = `${encoding} ${what}`;
        measured.set(key, [...(measured.get(key) ?? []), { measurement, serverMs }]);
      }
    }
  }
  const middle = (
    key: string,
    of: (one: { measurement: Measurement; serverMs: number }) => number,
  ): number => median((measured.get(key) ?? []).map(of));
  const figures: Figures = {};
  for (const encoding of encodings) {
    const raw = `${encoding} raw`;
    const sync = `${encoding} sync`;
    figures[`${encoding}ListMB`] = middle(raw, ({ measurement }) => (measurement.bytes ?? 0) / 1e6);
    figures[`${encoding}RawReadMs`] = middle(raw, ({ measurement }) => measurement.ms);
    figures[`${encoding}SyncedMs`] = middle(sync, ({ measurement }) => measurement.ms);
    figures[`${encoding}SyncedPerRawRead`] =
      middle(sync, ({ measurement }) => measurement.ms) /
      middle(raw, ({ measurement }) => measurement.ms);
    figures[`${encoding}ListClientCpuMs`] = middle(sync, ({ measurement }) => measurement.cpuMs);
    figures[`${encoding}ListServerCpuMs`] = middle(sync, ({ serverMs }) => serverMs);
    figures[`${encoding}ListPeakMB`] = middle(sync, ({ measurement }) => measurement.peakMB);
  }
  figures['protobufServerCpuPerJson'] =
    (figures['protobufListServerCpuMs'] ?? Number.NaN) /
    (figures['jsonListServerCpuMs'] ?? Number.NaN);
  return figures;
}

/** One long-running process for each encoding: its memory, a burst of updates, a minute of heartbeats. */
async function measureChanges(setup: InformerBench): Promise<Figures> {
  const { ports, controlPlane, load, program, nodes, seconds } = setup;
  const figures: Figures = {};
  const followers: { encoding: Encoding; follower: MeasuredProcess }[] = [];
  for (const encoding of encodings) {
    const keeper = new MeasuredProcess(program, ['kept', encoding, controlPlane.kubeconfig]);
    const { bytesPerNode = Number.NaN } = await keeper.ask('begin');
    await keeper.end();
    figures[`${encoding}BytesPerNode`] = bytesPerNode;
    const follower = new MeasuredProcess(program, ['follow', encoding, controlPlane.kubeconfig]);
    await follower.ask('begin');
    followers.push({ encoding, follower });
  }
  // With these, the API server forgets older changes first, so that the later ones stay available.
  const first = await load.updateNodes(Math.ceil(nodes / 10), { among: nodes });
  for (const { follower } of followers) await follower.ask(`until ${first}`);

  const updates = nodes * updatesPerNode;
  ports.say(`${updates} updates while nobody watches`);
  for (const { follower } of followers) await follower.ask('cut');
  const writesStart = await controlPlane.cpuSeconds();
  const version = await load.updateNodes(updates, { among: nodes });
  figures['updateWritesServerCpuMs'] = ((await controlPlane.cpuSeconds()) - writesStart) * 1000;
  for (const { encoding, follower } of followers) {
    const serverSeconds = await controlPlane.cpuSeconds();
    await follower.ask('measure');
    await follower.ask('mend');
    const { ms, cpuMs, told = 0, relists = 0 } = await follower.ask(`until ${version}`);
    const serverMs = ((await controlPlane.cpuSeconds()) - serverSeconds) * 1000;
    if (relists > 0) ports.say(`${encoding}: the updates came as a list, their rate means nothing`);
    figures[`${encoding}EventsPerSecond`] = told / (ms / 1000);
    figures[`${encoding}UpdatesClientCpuMs`] = cpuMs;
    figures[`${encoding}UpdatesServerCpuMs`] = serverMs;
  }

  ports.say(`${beatsPerSecond} heartbeats a second for ${seconds} s`);
  for (const { follower } of followers) await follower.ask('measure');
  const last = await load.beat({ perSecond: beatsPerSecond, seconds, among: nodes });
  for (const { encoding, follower } of followers) {
    const { ms, cpuMs, told = Number.NaN, peakMB } = await follower.ask(`until ${last}`);
    figures[`${encoding}HeartbeatCpuPercent`] = (cpuMs / ms) * 100;
    figures[`${encoding}HeartbeatsTold`] = told;
    figures[`${encoding}PeakMB`] = peakMB;
    await follower.end();
  }
  return figures;
}

/** Waits until the API server has finished earlier work, such as collecting garbage. */
async function untilQuiet({ ports, controlPlane }: InformerBench): Promise<void> {
  for (let tries = 0; tries < 20; tries += 1) {
    const before = await controlPlane.cpuSeconds();
    await sleep(ports.clock, quietMs);
    if ((await controlPlane.cpuSeconds()) - before <= quietCpuSeconds) return;
  }
}

const quietMs = 500;
const quietCpuSeconds = 0.03;

function report(figures: Figures): Report {
  const targets: Record<string, Target> = { protobufServerCpuPerJson: { atMost: 0.5 } };
  for (const encoding of encodings) {
    targets[`${encoding}PeakMB`] = { atMost: 130 };
    targets[`${encoding}BytesPerNode`] = { atMost: 1536 };
    targets[`${encoding}HeartbeatCpuPercent`] = { atMost: 1 };
    targets[`${encoding}HeartbeatsTold`] = { atMost: 0 };
  }
  return { name: 'informer', figures, targets };
}
