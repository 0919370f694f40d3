export { parseCommandLine } from './command-line.ts';
export { flagGroups, knownFlags } from './declared/index.ts';
export { joinConfiguration } from './join-configuration.ts';
export { type ReadSettings, readSettings } from './read-settings.ts';
