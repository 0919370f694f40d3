/**
 * Reads and checks the flags and the file of `--config` together, so that users see all mistakes at once.
 */
import type { StartupNote } from '@tandem/cli/flags';
import { formatCidr } from '@tandem/core/ip';
import { type Configuration, readConfiguration } from '../config/index.ts';
import type { ConfiguredController } from '../controllers/index.ts';
import { clusterCIDRsOf } from '../pod-cidrs/flags.ts';
import type { ManagerSettings } from '../settings/index.ts';
import { type HasModule, providerProblem } from './cloud.ts';
import { parseCommandLine, type RunLine } from './command-line.ts';

export type ReadSettings =
  | { readonly kind: 'help'; readonly text: string }
  | { readonly kind: 'version'; readonly format: 'text' | 'raw' }
  | { readonly kind: 'refused'; readonly problems: readonly string[] }
  | {
      readonly kind: 'run';
      readonly settings: ManagerSettings;
      /** The notes for the log at start. */
      readonly notes: readonly StartupNote[];
      /** The effective text of every flag, given or default. */
      readonly flags: ReadonlyMap<string, string>;
    };

export interface ReadSettingsOptions {
  readonly args: readonly string[];
  /** Rejects if the file cannot be read, with the `code` of the system if there is one. */
  readonly readFile: (path: string) => Promise<string>;
  readonly hasModule: HasModule;
}

export async function readSettings(options: ReadSettingsOptions): Promise<ReadSettings> {
  const { args, readFile, hasModule } = options;
  const line = parseCommandLine(args);
  if (line.kind !== 'run') return line;
  const { configFile: path, gates, cloud } = line.settings;
  const configuration = await readConfiguration({ path, readFile, gates });
  const unavailable = providerProblem(cloud.provider, hasModule);
  const { settings, notes, problems } = joinConfiguration(line, configuration);
  const all = [...(unavailable === undefined ? [] : [unavailable]), ...problems];
  return all.length > 0
    ? { kind: 'refused', problems: all }
    : { kind: 'run', settings, notes, flags: line.flags };
}

export interface JoinedSettings {
  readonly settings: ManagerSettings;
  readonly notes: readonly StartupNote[];
  /** The problems of the flags and of the file. If there are any, the settings must not be used. */
  readonly problems: readonly string[];
}

/**
 * Joins the flags with the file. It configures the controllers, because a controller may read both, and may find that it
 * has nothing to do.
 */
export function joinConfiguration(line: RunLine, file: Configuration): JoinedSettings {
  const { names, named } = line.selected;
  const problems = [...line.problems];
  const notes = [...line.notes];
  const notesWithoutRoutes: StartupNote[] = [];
  const context = { file, problems, notes, notesWithoutRoutes };
  const allControllers = line.declarations.map((one) =>
    one.configure(line.given, { ...context, isSelected: names.has(one.name) }),
  );
  const selected = allControllers.filter(({ facts }) => names.has(facts.name));
  const controllers = selected.filter(({ idleBecause }) => idleBecause === undefined);
  const idle = selected.filter(({ idleBecause }) => idleBecause !== undefined);
  const managesRoutes = controllers.some(({ routeScope }) => routeScope !== undefined);
  if (!managesRoutes) notes.push(...notesWithoutRoutes);
  if (controllers.length === 0) problems.push(...idle.map(nothingElseRuns));
  else notes.push(...idle.filter(({ facts }) => named.has(facts.name)).map(idleNote));
  const allocates = controllers.some((one) => one.allocates !== undefined);
  const { election, dryRun } = line.settings;
  if (allocates && !election.isEnabled && !dryRun) notes.push(allocatesAlone);
  const { configFile: _, gates, cloud: cloudFlags, ...settings } = line.settings;
  const cloud = { ...cloudFlags, clusterCIDRs: clusterCIDRsOf(line.given, file).map(formatCidr) };
  const { policies, exclusions } = file;
  const addressRules = { policies, exclusions, gates };
  return {
    settings: { ...settings, cloud, addressRules, controllers, allControllers },
    notes,
    problems: [...problems, ...file.problems],
  };
}

const allocatesAlone: StartupNote = {
  level: 'warn',
  message: 'Pod CIDRs are allocated without leader election',
  fields: {
    flag: '--leader-elect',
    advice:
      'two managers at a time can give one block to two nodes. Remove the flag, or make sure that only one manager runs, in rollouts too',
  },
};

function nothingElseRuns({ facts, idleBecause }: ConfiguredController): string {
  return `--controllers selects ${facts.name}, which does not run: ${idleBecause}`;
}

/** An operator who names a controller relies on it; `*` is only the default. */
function idleNote({ facts, idleBecause = '' }: ConfiguredController): StartupNote {
  const fields = { controller: facts.name, reason: idleBecause };
  return { level: 'warn', message: 'Controller does not run', fields };
}
