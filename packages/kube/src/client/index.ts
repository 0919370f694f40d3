export { CallTimedOutError } from './call-errors.ts';
export {
  type Answer,
  ApiError,
  type ApiStatus,
  type Call,
  type KubeClient,
  type Resource,
  type StreamAnswer,
  type StreamCall,
} from './client.ts';
export { requestDurationSeconds, requestRetriesTotal, requestsTotal } from './client-metrics.ts';
export { createKubeClient, type KubeClientOptions } from './create-client.ts';
export { parseStatus } from './status.ts';
