export { type Backoff, backoffDelayMs, parseRetryAfter, wholeBackoffMs } from './backoff.ts';
export {
  afterTurn,
  type Clock,
  type Instant,
  instantOf,
  sinceMs,
  sleep,
  systemClock,
  type Timer,
} from './clock.ts';
export {
  deadline,
  DeadlineExceededError,
  type Scope,
  untilAborted,
  withDeadline,
} from './deadline.ts';
export { type Due, DueHeap, notInHeap } from './due-heap.ts';
export { type Environment, systemEnvironment } from './environment.ts';
export { CcmError, type Effect, type FailureFacts, type Retry } from './failure.ts';
export { type Ids, seededIds, systemIds } from './ids.ts';
export { Limiter } from './limiter.ts';
export { createLogger, type LogFields, type Logger, type LogLevel } from './logger.ts';
export {
  type AnyMetric,
  type Counter,
  createMetrics,
  type HistogramDeclaration,
  type MetricDeclaration,
  type Metrics,
  type Stability,
} from './metrics/metrics.ts';
export { type ProcessMetric, processMetrics } from './metrics/process-metrics.ts';
export { type Random, systemRandom } from './random.ts';
export { errorCodeOf, fieldOf, isRecord } from './record.ts';
export { formatLine, textLines } from './text-lines.ts';
export { type NamedFile, unreadableFile } from './unreadable-file.ts';
export { WaitingLine } from './waiting-line.ts';
