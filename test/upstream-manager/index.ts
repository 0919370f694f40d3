/**
 * The door to upstream's manager for tests and benches: `k8s.io/cloud-provider` as it is, with a cloud
 * that knows the instances it is given.
 *
 *     const program = await requireGoProgram(goPrograms.upstreamManager);
 *     const upstream = await startUpstreamManager({ program, kubeconfig, inventory });
 *     …
 *     await upstream.stop();
 *     (await upstream.cloudCalls()).metadata;
 */
export {
  type InventoryInstance,
  startUpstreamManager,
  UpstreamManager,
  type UpstreamManagerOptions,
} from './upstream-manager.ts';
