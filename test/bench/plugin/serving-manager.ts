/** The manager for the plugin: the bundle, with its secure port open. */
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { createAuthority, eventually, exchange } from '../../control-plane/index.ts';
import { freePorts } from '../../control-plane/ports.ts';
import type { Cluster } from '../contest/cluster.ts';
import { tandem } from '../contest/tandem.ts';

/** Starts it with the inventory in the folder. Returns the address of its port once the port answers. */
export async function startServingManager(cluster: Cluster, folder: string): Promise<string> {
  const authority = createAuthority('bench', cluster.ports.clock.now());
  const pair = authority.issue({ commonName: 'manager', hosts: [host], uses: ['serverAuth'] });
  await writeFile(join(folder, 'tls.crt'), pair.cert);
  await writeFile(join(folder, 'tls.key'), pair.key, { mode: 0o600 });
  const [port = 0] = await freePorts(1);
  const { kubeconfig, admin } = cluster.controlPlane;
  const manager = tandem({
    kubeconfig,
    inventory: join(folder, 'inventory.yaml'),
    flags: [
      `--authentication-kubeconfig=${kubeconfig}`,
      `--authorization-kubeconfig=${kubeconfig}`,
      `--bind-address=${host}`,
      `--secure-port=${port}`,
      `--tls-cert-file=${join(folder, 'tls.crt')}`,
      `--tls-private-key-file=${join(folder, 'tls.key')}`,
    ],
    logFile: join(folder, 'manager.log'),
  });
  const running = await manager.start();
  cluster.closers.add(() => running.stop());
  await eventually(async () => {
    const { cert, key } = admin;
    const target = { host, port, path: '/livez', ca: authority.cert, cert, key };
    return (await exchange(target, { limitMs: 10_000 })).status === 200;
  }).catch(async (err: unknown) => {
    throw new Error(`the manager does not serve:\n${await running.log()}`, { cause: err });
  });
  return `https://${host}:${port}`;
}

const host = '127.0.0.1';
