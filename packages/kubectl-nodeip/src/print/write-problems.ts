/** Writes the problems of a command line, and then once where the help is. */
import { exitBadInput } from '../exit-codes.ts';
import type { Streams } from '../streams.ts';

export function writeProblems(
  { errors }: Pick<Streams, 'errors'>,
  problems: readonly string[],
  command: string,
): number {
  for (const problem of problems) errors.write(`error: ${problem.replace(/: see --help$/, '')}\n`);
  errors.write(`See "kubectl nodeip ${command} --help".\n`);
  return exitBadInput;
}
