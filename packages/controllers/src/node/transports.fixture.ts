/** Transports that answer in place of the API server, count calls, or kill a manager at a call. */
import type { KubeTransport, TransportRequest, TransportResponse } from '@tandem/kube/transport';

/** Handles a request between a manager and the API server; `pass` sends it on. */
export type Interception = (
  request: TransportRequest,
  pass: () => Promise<TransportResponse>,
) => Promise<TransportResponse>;

export function intercepting(intercept: Interception): (inner: KubeTransport) => KubeTransport {
  return (inner) => ({
    send: (request) => intercept(request, () => inner.send(request)),
    close: () => inner.close(),
  });
}

/** A refusal as the API server words it. */
export function refusal(status: {
  readonly code: number;
  readonly reason: string;
  readonly message: string;
  readonly causes?: readonly { readonly field: string; readonly message: string }[];
}): TransportResponse {
  const { causes = [], ...said } = status;
  const details = causes.length === 0 ? {} : { causes };
  const body = { kind: 'Status', apiVersion: 'v1', status: 'Failure', ...said, details };
  return {
    status: status.code,
    headers: { 'content-type': 'application/json' },
    body: chunkOf(JSON.stringify(body)),
  };
}

export function isWrite({ method, path }: TransportRequest): boolean {
  return method === 'PATCH' && path.includes('/nodes/');
}

async function* chunkOf(text: string): AsyncGenerator<Uint8Array> {
  yield new TextEncoder().encode(text);
}
