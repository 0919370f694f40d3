export { type BlockCounts, CidrSet, type CidrSetOptions } from './cidr-set.ts';
