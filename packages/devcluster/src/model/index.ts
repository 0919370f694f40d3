export { createCluster, type EmbeddedCluster } from './embedded-cluster.ts';
