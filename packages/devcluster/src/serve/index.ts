export type { KeyPair } from '@tandem/serving/certificates';
export type { RequestFailure } from './handle-request.ts';
export { serve, type ServedCluster, type ServeOptions } from './serve.ts';
export { ServeError } from './serve-error.ts';
