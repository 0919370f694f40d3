/** The shared part of all commands that read a cluster: their options, the connection and the messages of failures. */
import { GivenOptions, optionsHelp, type OptionTable } from '@tandem/cli/options';
import { exitOk } from '../exit-codes.ts';
import type { OutputFormat } from '../print/print-data.ts';
import { writeProblems } from '../print/write-problems.ts';
import type { Streams } from '../streams.ts';
import { type Cluster, openCluster } from './cluster.ts';
import { type Manager, openManager } from './manager.ts';
import { type LiveOptionName, liveOptions, type LiveSettings, readLive } from './options.ts';
import { CommandError, type OpenPorts } from './ports.ts';

export interface LiveCommand {
  readonly name: string;
  /** The help text up to its options. */
  readonly about: string;
  readonly exitCodes: string;
  /** The help text about what it does without the manager, if it does not show the objects then. */
  readonly withoutManager?: string;
  run(live: Live): Promise<number>;
}

/** The options of a command line, and its cluster. */
export interface Live {
  readonly cluster: Cluster;
  readonly manager: Manager;
  readonly output: OutputFormat;
  readonly streams: Streams;
  readonly nowMs: number;
}

type OptionName = LiveOptionName | 'output' | 'help';

/** The options of every command that shows a whole cluster. */
export const liveCommandOptions: OptionTable<OptionName> = {
  output: { short: 'o', value: 'text|wide|json|yaml', help: 'Output format (default: text)' },
  ...liveOptions,
  help: { short: 'h', help: 'Show this help' },
};

export async function runLive(
  command: LiveCommand,
  args: readonly string[],
  { streams, openPorts }: { readonly streams: Streams; readonly openPorts: OpenPorts },
): Promise<number> {
  const given = new GivenOptions<OptionName>(args, liveCommandOptions, {
    positionalAdvice: `${command.name} shows all nodes`,
  });
  if (given.has('help')) {
    streams.output.write(helpOf(command));
    return exitOk;
  }
  const settings = readLive(given);
  const output = given.choice('output', ['text', 'wide', 'json', 'yaml']) ?? 'text';
  if (given.problems.length > 0) return writeProblems(streams, given.problems, command.name);
  return withCluster(settings, { streams, openPorts }, (parts) =>
    command.run({ ...parts, output }),
  );
}

/** Opens and closes the connections of a command, and turns failures into a message and an exit code. */
export async function withCluster(
  settings: LiveSettings,
  { streams, openPorts }: { readonly streams: Streams; readonly openPorts: OpenPorts },
  use: (live: Omit<Live, 'output'>) => Promise<number>,
): Promise<number> {
  try {
    const ports = await openPorts();
    const cluster = await openCluster(settings, ports);
    let manager: Manager | undefined;
    try {
      manager = await openManager(cluster, settings, ports);
      return await use({ cluster, manager, streams, nowMs: ports.clock.now() });
    } finally {
      await manager?.close();
      await cluster.close();
    }
  } catch (err) {
    if (!(err instanceof CommandError)) throw err;
    streams.errors.write(`error: ${err.message}\n`);
    return err.exitCode;
  }
}

const fromObjects =
  'Where it cannot be\nreached, the command shows what the objects of the cluster tell, and says so.';

function helpOf({ name, about, exitCodes, withoutManager = fromObjects }: LiveCommand): string {
  return `${about}

Usage:
  kubectl nodeip ${name} [options]

The manager's own view is read by a port-forward to the leader, or from --manager. ${withoutManager}

Options:
${optionsHelp(liveCommandOptions)}

Exit codes: ${exitCodes}
`;
}

/** Returns the beginning of a line that says why the manager's view is missing. */
export function unreachedLine({ via }: Pick<Manager, 'via'>, problem: string): string {
  return `The manager's view is missing (${via}): ${problem.replace(/\.$/, '')}.`;
}

/**
 * Writes one line to standard error if the manager was not reached or does not run the part in question, unless the user
 * passed `--no-manager`. Standard output has only data.
 */
export function sayUntold(
  { streams, manager }: Pick<Live, 'streams' | 'manager'>,
  { kind, problem }: { readonly kind: 'off' | 'unreached'; readonly problem: string },
): void {
  if (!manager.isWanted) return;
  const line =
    kind === 'off'
      ? `note: ${problem.replace(/\.$/, '')}.`
      : `warning: ${unreachedLine(manager, problem)}`;
  streams.errors.write(`${line} This is what the objects of the cluster tell.\n`);
}

/** How the manager was reached, for the output as data. */
export interface ManagerNote {
  readonly via: string;
  readonly reached: boolean;
  readonly problem: string | null;
}

export function noteOf(
  manager: Manager,
  told: { readonly kind: string; readonly problem?: string },
): ManagerNote {
  return { via: manager.via, reached: told.kind !== 'unreached', problem: told.problem ?? null };
}
