export { echoMax } from '../arguments/read-arguments.ts';
export { GivenOptions } from './given-options.ts';
export { optionsHelp, type OptionTable } from './option-table.ts';
