export type { AcmeApi, Machine } from './acme-api.ts';
export { openAcmeLab } from './lab.ts';
export { acmeProvider } from './provider.ts';
