/** The bare client, which shows the API server's own speed. Each bench has a program for it. */
import type { Contender } from './contender.ts';
import { startProgram } from './start-program.ts';

export function bareClient(options: {
  /** The path of the bundled program, which takes a kubeconfig and the number of nodes. */
  readonly program: string;
  readonly kubeconfig: string;
  readonly nodes: number;
  readonly logFile: string;
}): Contender {
  const { program, kubeconfig, nodes, logFile } = options;
  const command = [process.execPath, program, kubeconfig, String(nodes)] as const;
  return { name: 'bare client', start: () => startProgram(command, logFile) };
}
