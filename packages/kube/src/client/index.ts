export {
  type Answer,
  ApiError,
  type ApiStatus,
  type Call,
  CallTimedOutError,
  hasStatus,
  type KubeClient,
  type Resource,
  type StreamAnswer,
  type StreamCall,
} from './client.ts';
export { clientMetricTable } from './client-metrics.ts';
export { createKubeClient, type KubeClientOptions } from './create-client.ts';
export { fieldManager } from './request.ts';
export type { RateLimit } from './request-rate.ts';
export { parseStatus } from './status.ts';
