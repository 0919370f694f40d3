export { type CommandLine, type FlagSettings, parseCommandLine } from './command-line.ts';
export { flagGroups, knownFlags } from './declared/index.ts';
export type { AnyFlag, FlagGroup, Standing } from './flag.ts';
export { defaultOf, helpText, synopsis } from './help.ts';
export { type ReadSettings, readSettings, type ReadSettingsOptions } from './read-settings.ts';
export type { StartupNote } from './startup-note.ts';
