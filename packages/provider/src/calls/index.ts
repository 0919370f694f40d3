export { CallRate } from './call-rate.ts';
export { fieldOf } from './field.ts';
export { type CallLimits, requireLimits } from './limits.ts';
export { isKeptAsIs, readRetryAfter, retryAfterMsMax, retryAfterOf } from './retry-after.ts';
