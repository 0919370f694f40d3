/**
 * Runs one of the plugin's commands by name, prints help, and refuses unknown commands. The modules of a command are
 * loaded only when it runs, so that other commands start faster.
 */
import { versionLine } from '@tandem/cli/version';
import { quote } from '@tandem/core/node-address';
import { exitBadInput, exitOk } from './exit-codes.ts';
import type { OpenPorts } from './live/ports.ts';
import type { LiveCommand } from './live/run-live.ts';
import type { Streams } from './streams.ts';
import { version } from './version.ts';

const help = `Explains which addresses Kubernetes nodes get, and checks what a manager has done.

Usage:
  kubectl nodeip COMMAND [options]

Commands:
  explain   Explain which of the cloud's addresses a request selects, or a node of the cluster gets
  status    Show every node: what it asked for, what it got, what it waits for
  cidrs     Show the pools of pod CIDRs and who holds their blocks
  routes    Show the routes that nodes need against those that are there
  audit     Check a cluster against Tandem's promises, without writing anything
  compare   Show what Tandem would change on a cluster that another manager runs
  version   Show the version, as --version does

Run "kubectl nodeip COMMAND --help" for the options of a command.
`;

const liveCommands: Readonly<Record<string, () => Promise<LiveCommand>>> = {
  status: async () => (await import('./status/run-status.ts')).statusCommand,
  cidrs: async () => (await import('./cidrs/run-cidrs.ts')).cidrsCommand,
  routes: async () => (await import('./routes/run-routes.ts')).routesCommand,
  audit: async () => (await import('./audit/run-audit.ts')).auditCommand,
  compare: async () => (await import('./compare/run-compare.ts')).compareCommand,
};

const commandNames: readonly string[] = ['explain', ...Object.keys(liveCommands), 'version'];

export async function runProgram(
  args: readonly string[],
  streams: Streams,
  openPorts: OpenPorts,
): Promise<number> {
  const [command, ...rest] = args;
  if (command === 'explain') {
    const { runExplain } = await import('./explain/run-explain.ts');
    return runExplain(rest, { streams, openPorts });
  }
  if (command === '__complete') {
    const { runCompletion } = await import('./completion/run-completion.ts');
    return runCompletion(rest, { streams, openPorts, commands: commandNames });
  }
  if (command === 'help' && rest[0] !== undefined && !isHelp(rest[0])) {
    return runProgram([rest[0], '--help'], streams, openPorts);
  }
  if (command === 'help' || isHelp(command) || (command === 'version' && isHelp(rest[0]))) {
    streams.output.write(help);
    return exitOk;
  }
  if (command === '--version' || command === 'version') {
    const [extra] = rest;
    if (extra !== undefined) {
      streams.errors.write(
        `error: unexpected argument ${quote(extra, 128)}: ${command} takes none\n`,
      );
      return exitBadInput;
    }
    streams.output.write(versionLine(version));
    return exitOk;
  }
  const load =
    command !== undefined && Object.hasOwn(liveCommands, command)
      ? liveCommands[command]
      : undefined;
  if (load !== undefined) {
    const [{ runLive }, live] = await Promise.all([import('./live/run-live.ts'), load()]);
    return runLive(live, rest, { streams, openPorts });
  }
  const problem = await problemOf(command);
  const expected = commandNames.join(', ');
  streams.errors.write(`error: ${problem}: expected ${expected}; see "kubectl nodeip --help"\n`);
  return exitBadInput;
}

function isHelp(word: string | undefined): boolean {
  return word === '--help' || word === '-h';
}

async function problemOf(command: string | undefined): Promise<string> {
  if (command === undefined) return 'missing command';
  const shown = quote(command, 128);
  if (command.startsWith('-')) return `the command comes first, and ${shown} after it`;
  const { suggestion } = await import('@tandem/cli/flags');
  const near = suggestion(command, commandNames);
  const unknown = `unknown command ${shown}`;
  return near === undefined ? unknown : `${unknown}, did you mean ${near}`;
}
