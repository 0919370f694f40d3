export {
  type CommandLine,
  type FlagSettings,
  parseCommandLine,
  type RunLine,
} from './command-line.ts';
export { flagGroups, flagTable, type FlagTable, knownFlags } from './declared/index.ts';
export {
  type AnyFlag,
  type DefaultedFlag,
  type FlagGroup,
  honoured,
  type Standing,
} from './flag.ts';
export { bool, duration, int } from './values/index.ts';
export { defaultOf, helpText, synopsis } from './help.ts';
export { joinConfiguration, type JoinedSettings } from './join-configuration.ts';
export { type ReadSettings, readSettings, type ReadSettingsOptions } from './read-settings.ts';
export type { StartupNote } from './startup-note.ts';
