export { type ClusterOptions, createCluster, type EmbeddedCluster } from './embedded-cluster.ts';
export type { ConnectOptions } from './model-transport.ts';
