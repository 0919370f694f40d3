export { type ConfigurationOptions, noConfiguration, readConfiguration } from './config-file.ts';
export { exampleConfiguration } from './example.ts';
export { apiVersion, fieldTables, kind } from './fields.ts';
export { type Configuration, parseConfiguration } from './read-configuration.ts';
export type { FilePool, FileRange } from './read-pod-cidr-pools.ts';
