/**
 * The request of a node as the node shows it: the annotations of operator and kubelet, and the labels if
 * policies use them. A live node may show a request that the cache does not show yet, so both are
 * compared here.
 */
import { isDeepStrictEqual } from 'node:util';
import { kubeletAnnotation, operatorAnnotation } from '@tandem/core/node-address';
import type { NodeProjection } from '@tandem/kube/node';

export interface SeenRequest {
  readonly operator: string | undefined;
  readonly kubelet: string | undefined;
  /** Undefined if no policy uses labels. */
  readonly labels: NodeProjection['labels'] | undefined;
}

export function requestOf(
  { annotations, labels }: Pick<NodeProjection, 'annotations' | 'labels'>,
  { hasPolicies }: { readonly hasPolicies: boolean },
): SeenRequest {
  return {
    operator: annotations[operatorAnnotation],
    kubelet: annotations[kubeletAnnotation],
    labels: hasPolicies ? labels : undefined,
  };
}

/** Notes the request of the node if it has changed. */
export function noteRequest(state: RequestState, request: SeenRequest, nowMs: number): void {
  if (isDeepStrictEqual(state.request, request)) return;
  state.request = request;
  state.requestChangedAtMs = nowMs;
}

interface RequestState {
  request: SeenRequest;
  requestChangedAtMs: number;
}
