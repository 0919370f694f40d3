export { helpText } from './declarations.ts';
export { readOptions, type StartCommand, type DemoOptions } from './read-options.ts';
