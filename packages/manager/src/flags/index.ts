export {
  type CommandLine,
  type FlagSettings,
  parseCommandLine,
  type RunLine,
} from './command-line.ts';
export { flagGroups, flagTable, type FlagTable, knownFlags } from './declared/index.ts';
export { joinConfiguration, type JoinedSettings } from './join-configuration.ts';
export { type ReadSettings, readSettings, type ReadSettingsOptions } from './read-settings.ts';
