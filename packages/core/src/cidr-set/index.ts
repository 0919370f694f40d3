export { type BlockCounts, CidrSet, type CidrSetOptions, type Holding } from './cidr-set.ts';
