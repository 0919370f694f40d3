export { readConfig } from './read-config.ts';
export type { ServiceOverride } from './service-override.ts';
export type { AWSSettings } from './settings.ts';
