export { readConfig } from './read-config.ts';
export type { AWSSettings, ServiceOverride } from './settings.ts';
