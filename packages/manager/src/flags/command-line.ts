/**
 * Reads settings from a command line, and reports all its problems at once. `joinConfiguration` adds the file of
 * `--config`, so that the problems of the file and of the flags are reported together.
 */
import type { Gates } from '@tandem/core/node-address';
import { type AnyFlag, GivenFlags, type StartupNote } from '@tandem/cli/flags';
import { readServing } from '@tandem/serving';
import { type ControllerDeclaration, controllers } from '../controllers/index.ts';
import type { ManagerSettings } from '../settings/index.ts';
import { readCloud } from './cloud.ts';
import { selectControllers, type SelectedControllers } from './controllers.ts';
import { featureGates, readGates } from './feature-gates.ts';
import { type FlagTable, flagTable } from './flag-table.ts';
import { helpText } from './help.ts';
import { readApi } from './kube-api.ts';
import { readElection } from './leader-election.ts';
import { readLogging } from './log.ts';
import { help, version } from './program.ts';
import { readRunMode } from './tandem.ts';

/** The settings that do not depend on the file of `--config`. */
export interface FlagSettings extends Omit<
  ManagerSettings,
  'addressRules' | 'cloud' | 'controllers' | 'allControllers'
> {
  readonly cloud: Omit<ManagerSettings['cloud'], 'clusterCIDRs'>;
  readonly configFile: string | undefined;
  readonly gates: Gates;
}

export type CommandLine =
  | { readonly kind: 'help'; readonly text: string }
  | { readonly kind: 'version'; readonly format: 'text' | 'raw' }
  | RunLine;

export interface RunLine {
  readonly kind: 'run';
  readonly settings: FlagSettings;
  readonly notes: readonly StartupNote[];
  /** The effective text of every flag. */
  readonly flags: ReadonlyMap<string, string>;
  /** One line each. If there are any, the settings must not be used. */
  readonly problems: readonly string[];
  /** The given flags, from which controllers read their settings once the file of `--config` is read. */
  readonly given: GivenFlags;
  readonly declarations: readonly ControllerDeclaration[];
  readonly selected: Pick<SelectedControllers, 'names' | 'named'>;
}

export function parseCommandLine(
  args: readonly string[],
  declarations: readonly ControllerDeclaration[] = controllers,
): CommandLine {
  const table = flagTable(declarations);
  const given = new GivenFlags(args, table.known);
  if (given.of(help)) return { kind: 'help', text: helpText(table.groups) };
  const format = given.of(version);
  if (format !== 'none') return { kind: 'version', format };
  const { gates, ...ofGates } = readGates(given.of(featureGates));
  const selected = selectControllers(given.of(table.controllers), declarations);
  const problems = [...given.problems(), ...ofGates.problems, ...selected.problems];
  const notes = [...given.notes(), ...ofGates.notes, ...selected.notes];
  const mode = readRunMode(given, problems);
  const settings: FlagSettings = {
    ...mode,
    cloud: readCloud(given, problems),
    api: readApi(given, problems, notes),
    election: readElection(given, problems),
    logging: readLogging(given),
    serving: readServing(given, { isDryRun: mode.dryRun, problems }),
    gates,
  };
  const flags = given.effective(shownFlags(table));
  return { kind: 'run', settings, notes, flags, problems, given, declarations, selected };
}

/** Returns the flags without those that upstream has removed and those that end the program at once. */
function shownFlags({ groups }: FlagTable): AnyFlag[] {
  return groups.flatMap((group) => group.flags).filter((flag) => flag !== help && flag !== version);
}
