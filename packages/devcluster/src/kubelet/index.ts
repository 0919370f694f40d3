export { keepReadyTaints, type ReadyTaintsPorts } from './ready-taints.ts';
export { type Machine, reportedAddresses, type ReportedFrom } from './reported-addresses.ts';
export {
  type KubeletFlags,
  type KubeletPorts,
  type Registration,
  SimulatedKubelet,
} from './simulated-kubelet.ts';
