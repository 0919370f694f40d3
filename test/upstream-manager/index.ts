/**
 * The door to upstream's manager for tests and benches: `k8s.io/cloud-provider` as it is, with a cloud
 * that knows the instances it is given.
 *
 *     const program = await buildUpstreamManager(systemEnvironment(), process.stderr);
 *     const upstream = await startUpstreamManager({ program, kubeconfig, inventory });
 *     …
 *     await upstream.stop();
 *     (await upstream.cloudCalls()).metadata;
 */
export { buildUpstreamManager } from './build.ts';
export {
  type InventoryInstance,
  startUpstreamManager,
  type UpstreamManager,
  type UpstreamManagerOptions,
} from './upstream-manager.ts';
