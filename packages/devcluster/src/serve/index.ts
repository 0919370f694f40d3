export type { RequestFailure } from './handle-request.ts';
export { serve, type ServedCluster } from './serve.ts';
export { ServeError } from './listener.ts';
