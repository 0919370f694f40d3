/**
 * A client that begins no call once the controller is told to end, and lets those finish that are under
 * way: a write that is cut off leaves it open whether it was stored.
 */
import type { KubeClient } from '@tandem/kube/client';

export function gentleClient(client: KubeClient, signal: AbortSignal): KubeClient {
  return {
    async call(call) {
      signal.throwIfAborted();
      return client.call(call);
    },
    async open(call) {
      signal.throwIfAborted();
      return client.open(call);
    },
  };
}
