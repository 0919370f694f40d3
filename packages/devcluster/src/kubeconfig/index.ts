export { kubeconfigOf } from './kubeconfig.ts';
