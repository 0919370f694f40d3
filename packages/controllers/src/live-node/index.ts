export { callLimitMs, nodeResource, readLiveNode } from './live-node.ts';
