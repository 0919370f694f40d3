export type { Cloud } from './cloud.ts';
export type { CredentialSettings } from './credential.ts';
export { readCloud } from './custom-cloud.ts';
export { invalid, readBytes, readConfig, readText } from './read-config.ts';
export type { AzureSettings, CloudSettings, RouteTableSettings } from './settings.ts';
