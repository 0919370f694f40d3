/** The real kubectl, asked what people ask it. */
import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { systemEnvironment } from '@tandem/runtime';
import { type ControlPlane, findPrograms } from '../../control-plane/index.ts';

const run = promisify(execFile);

/** The lines below `Events:` of `kubectl describe node`, header aside. */
export async function describedEvents(
  controlPlane: Pick<ControlPlane, 'kubeconfig' | 'directory'>,
  node: string,
): Promise<string[]> {
  const environment = systemEnvironment();
  const [kubectl = 'kubectl'] = await findPrograms(['kubectl'], {
    environment,
    sink: process.stderr,
  });
  const { stdout } = await run(kubectl, [
    `--kubeconfig=${controlPlane.kubeconfig}`,
    `--cache-dir=${join(controlPlane.directory, 'kubectl-cache')}`,
    'describe',
    'node',
    node,
  ]);
  const lines = stdout.split('\n');
  const start = lines.findIndex((line) => line.startsWith('Events:'));
  return lines.slice(start + 3).filter((line) => line.trim() !== '');
}
