export {
  drawFaultPlan,
  type FaultKind,
  type FaultPlan,
  requestFaults,
  streamFaults,
} from './fault-plan.ts';
export { oneChunk, statusResponse } from './status-response.ts';
export { type FaultyTransport, faultyTransport } from './faulty-transport.ts';
