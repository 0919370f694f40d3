/** Answers in the place of an API server. */
import type { TransportResponse } from '@tandem/kube/transport';

/** A refusal: a `Status` of Kubernetes. */
export function statusResponse(
  refusal: { readonly code: number; readonly reason: string; readonly message: string },
  { headers = {}, details }: { headers?: Readonly<Record<string, string>>; details?: object } = {},
): TransportResponse {
  const head = { kind: 'Status', apiVersion: 'v1', metadata: {}, status: 'Failure' };
  return {
    status: refusal.code,
    headers: { 'content-type': 'application/json', ...headers },
    body: oneChunk(JSON.stringify({ ...head, ...refusal, details })),
  };
}

export async function* oneChunk(text: string): AsyncGenerator<Uint8Array> {
  yield new TextEncoder().encode(text);
}
