/**
 * What the kubectl plugin costs on a fleet of 5,000 nodes: the CPU time of `status` and `audit`, with the view of a
 * leading manager, compared with a plain list of the same nodes by the same client, as completion requests it; and how
 * much longer `--version` takes than a bare Node.js. `BENCH_NODES` makes the bench smaller.
 */
import { execFile } from 'node:child_process';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { systemEnvironment } from '@tandem/runtime';
import { eventually } from '../../control-plane/index.ts';
import { Cluster } from '../contest/cluster.ts';
import { aRegisteredNode, instanceOf, labelsOf, staticInventory } from '../contest/fleet.ts';
import { readCount } from '../contest/settings.ts';
import { median } from '../median.ts';
import type { BenchPorts, Report } from '../report.ts';
import { startServingManager } from './serving-manager.ts';

const run = promisify(execFile);
const program = join(import.meta.dirname, '..', '..', '..', 'dist', 'kubectl-nodeip.js');

/** Runs of each kind, in turns; the median counts. */
const runs = 7;
const startRuns = 15;

export async function benchPlugin(ports: BenchPorts): Promise<Report> {
  const nodes = readCount('BENCH_NODES', 5_000);
  const startMs = await measureStart(ports);
  return Cluster.with(ports, async (cluster, folder) => {
    await writeFile(join(folder, 'report.mjs'), reporter);
    await writeFile(join(folder, 'inventory.yaml'), staticInventory(nodes));
    ports.say(`creating ${nodes} nodes`);
    await (await cluster.load()).createNodes(nodes, aReadyNode);
    const address = await startServingManager(cluster, folder);
    const { kubeconfig } = cluster.controlPlane;
    const live = [
      `--kubeconfig=${kubeconfig}`,
      `--manager=${address}`,
      '--manager-skip-tls-verify',
    ];
    const ask = (...args: string[]): Promise<Ran> => measured(folder, args);
    // Until every node has a view, and the manager leads.
    await eventually(async () => (await ask('status', ...live)).errors === '', {
      withinMs: 60_000,
    });
    const figures = await measureCommands(ports, {
      list: () => ask('__complete', 'explain', `--kubeconfig=${kubeconfig}`, ''),
      status: () => ask('status', ...live),
      audit: () => ask('audit', ...live),
    });
    return {
      name: 'plugin',
      figures: { nodes, startMs, ...figures },
      targets: {
        startMs: { atMost: 100 },
        statusToList: { atMost: 1.5 },
        auditToList: { atMost: 1.5 },
      },
    };
  });
}

interface Ran {
  readonly cpuSeconds: number;
  readonly errors: string;
}

/** Makes the process write its usage when it ends. */
const reporter = `import { writeFileSync } from 'node:fs';
process.on('exit', () => {
  const { user, system } = process.cpuUsage();
  writeFileSync(process.env.BENCH_REPORT, JSON.stringify((user + system) / 1e6));
});
`;

async function measured(folder: string, args: readonly string[]): Promise<Ran> {
  const file = join(folder, 'usage.json');
  const env = {
    ...systemEnvironment(),
    BENCH_REPORT: file,
    NODE_OPTIONS: `--import=${join(folder, 'report.mjs')}`,
  };
  const { stderr } = await run(process.execPath, [program, ...args], {
    env,
    maxBuffer: 256 * 1024 * 1024,
  });
  return { cpuSeconds: Number(await readFile(file, 'utf8')), errors: stderr };
}

async function measureStart({ clock }: BenchPorts): Promise<number> {
  const took = async (args: readonly string[]): Promise<number> => {
    const startMs = clock.monotonic();
    await run(process.execPath, [...args]);
    return clock.monotonic() - startMs;
  };
  const bare: number[] = [];
  const plugin: number[] = [];
  for (let count = 0; count < startRuns; count += 1) {
    bare.push(await took(['--eval', '0']));
    plugin.push(await took([program, '--version']));
  }
  return median(plugin) - median(bare);
}

/** A node as the manager leaves it, so that the manager plans nothing. */
function aReadyNode(number: number): object {
  const { metadata, status } = aRegisteredNode(number, '');
  const { providerID, addresses } = instanceOf(number);
  const labels = { ...Object(metadata).labels, ...labelsOf(number) };
  return {
    metadata: { ...metadata, labels },
    spec: { providerID },
    status: { ...status, addresses },
  };
}

async function measureCommands(
  { say }: BenchPorts,
  commands: Readonly<Record<'list' | 'status' | 'audit', () => Promise<Ran>>>,
): Promise<Readonly<Record<string, number>>> {
  const seconds = { list: [] as number[], status: [] as number[], audit: [] as number[] };
  for (let count = 0; count < runs; count += 1) {
    for (const name of ['list', 'status', 'audit'] as const) {
      const { cpuSeconds } = await commands[name]();
      seconds[name].push(cpuSeconds);
    }
    say(`run ${count + 1} of ${runs}`);
  }
  const list = median(seconds.list);
  const status = median(seconds.status);
  const audit = median(seconds.audit);
  return {
    listCpuSeconds: list,
    statusCpuSeconds: status,
    auditCpuSeconds: audit,
    statusToList: status / list,
    auditToList: audit / list,
  };
}
