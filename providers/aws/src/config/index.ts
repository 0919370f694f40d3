export { readConfig } from './read-config.ts';
export type { ServiceOverride } from './service-override.ts';
export { accountOf, type AWSSettings } from './settings.ts';
