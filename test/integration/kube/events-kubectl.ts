/** The real kubectl, asked what people ask it. */
import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { type ControlPlane, findPrograms } from '../../control-plane/index.ts';

const run = promisify(execFile);

type Cluster = Pick<ControlPlane, 'kubeconfig' | 'directory'>;

/** The lines below `Events:` of `kubectl describe node`, header aside. */
export async function describedEvents(controlPlane: Cluster, node: string): Promise<string[]> {
  const lines = await kubectlLines(controlPlane, ['describe', 'node', node]);
  const start = lines.findIndex((line) => line.startsWith('Events:'));
  return lines.slice(start + 3).filter((line) => line.trim() !== '');
}

/** The lines of a table of events, header aside. */
export async function listedEvents(
  controlPlane: Cluster,
  args: readonly string[],
): Promise<string[]> {
  const [, ...lines] = await kubectlLines(controlPlane, args);
  return lines.filter((line) => line.trim() !== '');
}

async function kubectlLines(controlPlane: Cluster, args: readonly string[]): Promise<string[]> {
  const [kubectl = 'kubectl'] = await findPrograms(['kubectl']);
  const { stdout } = await run(kubectl, [
    `--kubeconfig=${controlPlane.kubeconfig}`,
    `--cache-dir=${join(controlPlane.directory, 'kubectl-cache')}`,
    ...args,
  ]);
  return stdout.split('\n');
}
