/**
 * A client that begins no call once the controller is told to end, and lets those finish that are under
 * way: a write that is cut off leaves it open whether it was stored.
 */
import type { KubeClient } from '@tandem/kube/client';

export function gentleClient(client: KubeClient, signal: AbortSignal): KubeClient {
  return {
    call: (call) => (signal.aborted ? Promise.reject(signal.reason) : client.call(call)),
    open: (call) => (signal.aborted ? Promise.reject(signal.reason) : client.open(call)),
  };
}
