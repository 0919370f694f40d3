export type { Answer, Known, KnownInstance, Unknown } from './answer.ts';
export { LookupError, lookupErrorCodes, type LookupFailureCode } from './failure.ts';
export { type AskOptions, InstanceLookup, type InstanceLookupOptions } from './instance-lookup.ts';
export { limitsDefault } from './limits.ts';
export { everythingPauseMs, type Notice, noticeKeysMax, noticeWindowMs } from './notices.ts';
export {
  answersDroppedTotal,
  answersTotal,
  cachedInstances,
  callDurationSeconds,
  callNodes,
  callsTotal,
  noticesTotal,
  questionsTotal,
} from './lookup-metrics.ts';
