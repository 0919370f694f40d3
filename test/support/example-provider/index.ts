export { openAcmeLab } from './lab.ts';
export { acmeProvider } from './provider.ts';
