/** The plugin's commands: picks one by name, gives help, and refuses what it does not know. */
import { quote } from '@tandem/core/node-address';
import { exitBadInput, exitOk } from './exit-codes.ts';
import { runExplain } from './explain/run-explain.ts';
import type { Streams } from './streams.ts';

const help = `Says which addresses a Kubernetes node gets, and why.

Usage:
  kubectl nodeip COMMAND [options]

Commands:
  explain   Which addresses follow from a request and from what the cloud lists

Run "kubectl nodeip COMMAND --help" for the options of a command.
`;

export async function runProgram(args: readonly string[], streams: Streams): Promise<number> {
  const [command, ...rest] = args;
  if (command === 'explain') return runExplain(rest, streams);
  if (command === '--help' || command === '-h' || command === 'help') {
    streams.output.write(help);
    return exitOk;
  }
  const problem =
    command === undefined ? 'no command given' : `unknown command ${quote(command, 128)}`;
  streams.errors.write(`error: ${problem}: expected explain; see "kubectl nodeip --help"\n`);
  return exitBadInput;
}
