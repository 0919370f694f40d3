export { parseCommandLine } from './command-line.ts';
export { flagGroups, knownFlags } from './flag-table.ts';
export { joinConfiguration, type ReadSettings, readSettings } from './read-settings.ts';
