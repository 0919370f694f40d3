export { buildHelm } from './build.ts';
export { Helm, HelmError } from './helm.ts';
