/** The manager of the bench, and its secure port as a scraper sees it: one connection, kept. */
import { once } from 'node:events';
import { writeFile } from 'node:fs/promises';
import { Agent, request } from 'node:https';
import { join } from 'node:path';
import { sleep } from '@tandem/runtime';
import { createAuthority } from '../../control-plane/index.ts';
import { freePorts } from '../../control-plane/ports.ts';
import type { Cluster } from '../contest/cluster.ts';
import type { RunningContender } from '../contest/contender.ts';
import { startProgram } from '../contest/start-program.ts';

const program = join(import.meta.dirname, '..', '..', '..', 'dist', 'cloud-controller-manager.js');

export interface Scrape {
  readonly tookMs: number;
  readonly bytes: number;
  readonly series: number;
}

export interface Port {
  ask(path: string): Promise<Scrape>;
}

export async function startServingManager(options: {
  readonly cluster: Cluster;
  /** With the inventory in it. */
  readonly folder: string;
  readonly port: 'open' | 'shut';
}): Promise<{
  readonly running: RunningContender;
  readonly port: Port;
  readonly address: string;
}> {
  const { cluster, folder } = options;
  const { clock } = cluster.ports;
  const authority = createAuthority('bench', clock.now());
  const pair = authority.issue({ commonName: 'manager', hosts: [host], uses: ['serverAuth'] });
  await writeFile(join(folder, 'tls.crt'), pair.cert);
  await writeFile(join(folder, 'tls.key'), pair.key, { mode: 0o600 });
  const [number = 0] = options.port === 'open' ? await freePorts(1) : [];
  const { kubeconfig } = cluster.controlPlane;
  const running = await startProgram(
    [
      program,
      '--cloud-provider=static',
      `--cloud-config=${join(folder, 'inventory.yaml')}`,
      `--kubeconfig=${kubeconfig}`,
      `--authentication-kubeconfig=${kubeconfig}`,
      `--authorization-kubeconfig=${kubeconfig}`,
      `--bind-address=${host}`,
      `--secure-port=${number}`,
      `--tls-cert-file=${join(folder, 'tls.crt')}`,
      `--tls-private-key-file=${join(folder, 'tls.key')}`,
    ],
    join(folder, 'manager.log'),
  );
  cluster.closers.add(() => running.stop());
  const port = keptConnection(cluster, { number, ca: authority.cert });
  if (options.port === 'open') await untilServing(cluster, port, running);
  return { running, port, address: `https://${host}:${number}` };
}

async function untilServing(cluster: Cluster, port: Port, running: RunningContender) {
  const { clock } = cluster.ports;
  for (let tries = 0; tries < servingTriesMax; tries += 1) {
    const isServing = await port.ask('/livez').then(
      () => true,
      () => false,
    );
    if (isServing) return;
    await sleep(clock, 100);
  }
  throw new Error(`the manager does not serve:\n${await running.log()}`);
}

/** As somebody of `system:masters`, for whom no review is asked. */
function keptConnection(
  { ports: { clock }, controlPlane, closers }: Cluster,
  { number, ca }: { readonly number: number; readonly ca: string },
): Port {
  const { cert, key } = controlPlane.admin;
  const agent = new Agent({ keepAlive: true, maxSockets: 1 });
  closers.add(async () => agent.destroy());
  return {
    async ask(path) {
      const startMs = clock.monotonic();
      const outgoing = request({ host, port: number, path, ca, cert, key, agent });
      const answered = once(outgoing, 'response');
      outgoing.end();
      const [response] = await answered;
      const chunks: Buffer[] = [];
      for await (const chunk of response) chunks.push(chunk);
      const body = Buffer.concat(chunks);
      const tookMs = clock.monotonic() - startMs;
      if (response.statusCode !== 200) throw new Error(`${path} gave ${response.statusCode}`);
      const lines = body.toString('utf8').split('\n');
      const series = lines.filter((line) => line !== '' && !line.startsWith('#')).length;
      return { tookMs, bytes: body.length, series };
    },
  };
}

const host = '127.0.0.1';
const servingTriesMax = 200;
