export type { KeyPair } from './certificates/authority.ts';
export { serve, type ServedCluster, type ServeOptions } from './serve.ts';
export { ServeError } from './serve-error.ts';
