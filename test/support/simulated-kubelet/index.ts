export type { Machine } from './reported-addresses.ts';
export { type KubeletFlags, SimulatedKubelet } from './simulated-kubelet.ts';
