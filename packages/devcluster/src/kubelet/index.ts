export { keepReadyTaints } from './ready-taints.ts';
export { type KubeletFlags, type Registration, SimulatedKubelet } from './simulated-kubelet.ts';
