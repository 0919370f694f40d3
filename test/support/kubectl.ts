/** Runs the real kubectl. */
import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { type ControlPlane, findPrograms } from '../control-plane/index.ts';

type Cluster = Pick<ControlPlane, 'kubeconfig' | 'directory'>;

/** Returns its output. Its cache goes into the directory of the cluster. */
export async function kubectl(
  { kubeconfig, directory }: Cluster,
  ...args: readonly string[]
): Promise<string> {
  const [program = 'kubectl'] = await findPrograms(['kubectl']);
  const flags = [`--kubeconfig=${kubeconfig}`, `--cache-dir=${join(directory, 'kubectl-cache')}`];
  const { stdout } = await promisify(execFile)(program, [...flags, ...args]);
  return stdout;
}

/** The lines below `Events:` of `kubectl describe node`, header aside. */
export async function describedEvents(cluster: Cluster, node: string): Promise<string[]> {
  const lines = (await kubectl(cluster, 'describe', 'node', node)).split('\n');
  const start = lines.findIndex((line) => line.startsWith('Events:'));
  return lines.slice(start + 3).filter((line) => line.trim() !== '');
}
