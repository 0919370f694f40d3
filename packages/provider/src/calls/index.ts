export { type Agents, createAgents } from './agents.ts';
export {
  type ApiCall,
  ApiCalls,
  type ApiCallsOptions,
  CallPausedError,
  type Throttling,
} from './api-calls.ts';
export type { Rate } from './call-bucket.ts';
export { CallRate } from './call-rate.ts';
export { ClockSkew, skewMsOf } from './clock-skew.ts';
export { fieldOf } from '@tandem/runtime';
export { isDefiniteRefusal } from './definite-refusal.ts';
export { type CallLimits, requireLimits, requirePositive } from './limits.ts';
export { isKeptAsIs, readRetryAfter, retryAfterMsMax, retryAfterOf } from './retry-after.ts';
export { Turns } from './turns.ts';
