/**
 * The request of a node as the node shows it: the annotations of operator and kubelet, and the labels if
 * policies use them. A live node may show a request that the cache does not show yet, so both are
 * compared here.
 */
import { kubeletAnnotation, operatorAnnotation } from '@tandem/core/node-address';
import { isSameTexts, type Pairs, valueAt } from '@tandem/kube/codec';
import type { NodeProjection } from '@tandem/kube/node';

export interface SeenRequest {
  readonly operator: string | undefined;
  readonly kubelet: string | undefined;
  /** Undefined if no policy uses labels. */
  readonly labels: Pairs | undefined;
}

export function requestOf(
  { annotations, labels }: Pick<NodeProjection, 'annotations' | 'labels'>,
  { hasPolicies }: { readonly hasPolicies: boolean },
): SeenRequest {
  return {
    operator: valueAt(annotations, operatorAnnotation),
    kubelet: valueAt(annotations, kubeletAnnotation),
    labels: hasPolicies ? labels : undefined,
  };
}

/** Notes the request of the node if it has changed. */
export function noteRequest(state: RequestState, request: SeenRequest, nowMs: number): void {
  if (isSameRequest(state.request, request)) return;
  state.request = request;
  state.requestChangedAtMs = nowMs;
}

interface RequestState {
  request: SeenRequest;
  requestChangedAtMs: number;
}

function isSameRequest(a: SeenRequest, b: SeenRequest): boolean {
  const isSameLabels =
    a.labels === b.labels ||
    (a.labels !== undefined && b.labels !== undefined && isSameTexts(a.labels, b.labels));
  return a.operator === b.operator && a.kubelet === b.kubelet && isSameLabels;
}
