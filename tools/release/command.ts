/** Runs the programs that a release needs, and shows each command before it runs. */
import { execFile } from 'node:child_process';
import { promisify } from 'node:util';

/** Returns the output of the program on both streams. */
export type Run = (program: string, ...args: readonly string[]) => Promise<string>;

/** Runs programs in this folder. */
export function runIn(cwd: string, sink: { write(text: string): unknown }): Run {
  return async (program, ...args) => {
    sink.write(`+ ${[program, ...args].join(' ')}\n`);
    const options = { cwd, maxBuffer: 64 * 1024 * 1024 };
    const { stdout, stderr } = await promisify(execFile)(program, [...args], options);
    return stdout + stderr;
  };
}
