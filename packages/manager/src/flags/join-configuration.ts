/**
 * What the flags say joined with what the file of `--config` says. The controllers are configured here,
 * because a controller may read both, and may find that it has nothing to do.
 */
import { formatCidr } from '@tandem/core/ip';
import type { StartupNote } from '@tandem/cli/flags';
import type { Configuration } from '../config/index.ts';
import type { ConfiguredController } from '../controllers/index.ts';
import type { ManagerSettings } from '../settings/index.ts';
import { clusterCIDRsOf } from './declared/pod-networks.ts';
import type { RunLine } from './command-line.ts';

export interface JoinedSettings {
  readonly settings: ManagerSettings;
  readonly notes: readonly StartupNote[];
  /** Of the flags and of the file; settings of which any is left must not be run with. */
  readonly problems: readonly string[];
}

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

function nothingElseRuns({ facts, idleBecause }: ConfiguredController): string {
  return `--controllers selects ${facts.name}, which does not run: ${idleBecause}`;
}

/** An operator who names a controller relies on it; `*` is only the default. */
function idleNote({ facts, idleBecause = '' }: ConfiguredController): StartupNote {
  const fields = { controller: facts.name, reason: idleBecause };
  return { level: 'warn', message: 'Controller does not run', fields };
}
