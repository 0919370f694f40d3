export type { KeyPair } from '@tandem/manager/certificates';
export { serve, type ServedCluster, type ServeOptions } from './serve.ts';
export { ServeError } from './serve-error.ts';
