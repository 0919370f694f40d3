export { helpText, nodesMax, optionDeclarations, type OptionName } from './declarations.ts';
export { readOptions, type StartCommand, type WorldOptions } from './read-options.ts';
