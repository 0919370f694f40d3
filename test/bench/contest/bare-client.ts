/** The bare client, which shows the API server's own speed. Each bench has a program for it. */
import type { Contender } from './contender.ts';
import { startProgram } from './start-program.ts';

export function bareClient(options: {
  readonly name: string;
  /** The path of the bundled program, which takes a kubeconfig, the number of nodes, and `args`. */
  readonly program: string;
  readonly kubeconfig: string;
  readonly nodes: number;
  readonly args?: readonly string[];
  readonly logFile: string;
}): Contender {
  const { name, program, kubeconfig, nodes, args = [], logFile } = options;
  const command = [process.execPath, program, kubeconfig, String(nodes), ...args] as const;
  return { name, start: () => startProgram(command, logFile) };
}
