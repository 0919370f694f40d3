export { kubeconfigOf, type KubeconfigParts } from './kubeconfig.ts';
