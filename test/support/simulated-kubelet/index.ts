export type { KubeletFlags } from '@tandem/devcluster/kubelet';
export { SimulatedKubelet } from './simulated-kubelet.ts';
export { transportFor } from './transport.ts';
