/** What a program answers to `--version`. */
export { builtFrom, versionLine } from './version-line.ts';
