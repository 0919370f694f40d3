/**
 * What the flags say joined with what the file of `--config` says. The controllers are configured here,
 * because a controller may read both.
 */
import type { Configuration } from '../config/index.ts';
import type { ManagerSettings } from '../settings/index.ts';
import type { RunLine } from './command-line.ts';

export interface JoinedSettings {
  readonly settings: ManagerSettings;
  /** Of the flags and of the file; settings of which any is left must not be run with. */
  readonly problems: readonly string[];
}

export function joinConfiguration(line: RunLine, configuration: Configuration): JoinedSettings {
  const { configFile: _, gates, ...settings } = line.settings;
  const { policies, exclusions } = configuration;
  const allControllers = line.declarations.map((one) => one.configure(line.given));
  return {
    settings: {
      ...settings,
      addressRules: { policies, exclusions, gates },
      controllers: allControllers.filter(({ facts }) => line.selected.has(facts.name)),
      allControllers,
    },
    problems: [...line.problems, ...configuration.problems],
  };
}
