export { buildHelm } from './build.ts';
export { Helm } from './helm.ts';
