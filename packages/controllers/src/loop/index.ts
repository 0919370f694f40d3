export { callLimitMs, readLiveNode } from './node-calls.ts';
export { type LoopController, type LoopPorts, NodeLoop } from './node-loop.ts';
export { NodeRecord, NodeRecords, nodeRefOf, type RefSource } from './node-record.ts';
export type { Next, PlannedWrite, Turn, WriteMetrics, Written } from './node-writer.ts';
export { cacheLagSeconds, type Update } from './own-writes.ts';
export { runPasses } from './passes.ts';
export { isYoung, type PollPace } from './polls.ts';
export { type QueuedController, QueuedLoop } from './queued-loop.ts';
export { refresh } from './refresh.ts';
export {
  type ActiveReport,
  type EventTable,
  nodeEventsOf,
  type Recorder,
  Reports,
} from './reports.ts';
