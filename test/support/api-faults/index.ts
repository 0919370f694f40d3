/** Faults on the way to the API server, for tests of packages that may not import the embedded one. */
export {
  drawFaultPlan,
  type FaultKind,
  type FaultPlan,
  faultyTransport,
  type FaultyTransport,
  oneChunk,
  requestFaults,
  statusResponse,
  streamFaults,
} from '@tandem/devcluster/api-faults';
