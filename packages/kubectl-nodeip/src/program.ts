/** The plugin's commands: picks one by name, gives help, and refuses what it does not know. */
import { versionLine } from '@tandem/cli/version';
import { quote } from '@tandem/core/node-address';
import { exitBadInput, exitOk } from './exit-codes.ts';
import { runExplain } from './explain/run-explain.ts';
import type { Streams } from './streams.ts';
import { version } from './version.ts';

const help = `Explains which addresses a Kubernetes node gets.

Usage:
  kubectl nodeip COMMAND [options]

Commands:
  explain   Explain which of the cloud's addresses a request selects
  version   Show the version, as --version does

Run "kubectl nodeip COMMAND --help" for the options of a command.
`;

export async function runProgram(args: readonly string[], streams: Streams): Promise<number> {
  const [command, ...rest] = args;
  if (command === 'explain') return runExplain(rest, streams);
  if (command === '--help' || command === '-h' || command === 'help') {
    streams.output.write(help);
    return exitOk;
  }
  if (command === '--version' || command === 'version') {
    streams.output.write(versionLine(version));
    return exitOk;
  }
  const problem =
    command === undefined ? 'missing command' : `unknown command ${quote(command, 128)}`;
  streams.errors.write(`error: ${problem}: expected explain; see "kubectl nodeip --help"\n`);
  return exitBadInput;
}
