export { exampleConfiguration } from './example.ts';
export { fieldTables } from './fields.ts';
export {
  type Configuration,
  noConfiguration,
  parseConfiguration,
  readConfiguration,
} from './read-configuration.ts';
