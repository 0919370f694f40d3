export { noConfiguration, readConfiguration } from './config-file.ts';
export { exampleConfiguration } from './example.ts';
export { fieldTables } from './fields.ts';
export { type Configuration, parseConfiguration } from './read-configuration.ts';
