export type { AllocatorFlags } from './allocator-flags.ts';
export { idleReason, type NodeIpamOptions, readNodeIpam } from './read-node-ipam.ts';
