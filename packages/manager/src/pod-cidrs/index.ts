export { idleReason, type NodeIpamOptions, readNodeIpam } from './read-node-ipam.ts';
