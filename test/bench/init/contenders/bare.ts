/** The bare client: what the API server's own speed allows. */
import type { Contender } from './contender.ts';
import { startProgram } from './start-program.ts';

export function bareClient(options: {
  readonly program: string;
  readonly kubeconfig: string;
  readonly nodes: number;
  readonly writes: 'event' | 'silent';
  readonly logFile: string;
}): Contender {
  const { program, kubeconfig, nodes, writes, logFile } = options;
  const command = [process.execPath, program, kubeconfig, String(nodes), writes] as const;
  return { name: `bare client, ${writes}`, start: () => startProgram(command, logFile) };
}
