export { echoMax } from '../flags/read-arguments.ts';
export { GivenOptions } from './given-options.ts';
export { type OptionDeclaration, optionsHelp, type OptionTable } from './option-table.ts';
