export {
  drawFaultPlan,
  type FaultKind,
  type FaultPlan,
  requestFaults,
  streamFaults,
} from './fault-plan.ts';
export { type FaultyTransport, faultyTransport, type InjectedFault } from './faulty-transport.ts';
