export type { Answer, Known, Unknown } from './answer.ts';
export {
  LookupError,
  lookupErrorCodes,
  type LookupFailureCode,
  retryAfterMsMax,
} from './failure.ts';
export { type AskOptions, InstanceLookup, type InstanceLookupOptions } from './instance-lookup.ts';
export { limitsDefault, windowMsDefault } from './limits.ts';
export {
  answersDroppedTotal,
  answersTotal,
  cachedInstances,
  callDurationSeconds,
  callNodes,
  callsTotal,
  questionsTotal,
} from './lookup-metrics.ts';
