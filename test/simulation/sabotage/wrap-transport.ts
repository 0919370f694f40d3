/** What the sabotages of a transport share: telling requests apart and answering without an API server. */
import type { KubeTransport, TransportRequest, TransportResponse } from '@tandem/kube/transport';

export function wrapped(
  inner: KubeTransport,
  send: (request: TransportRequest) => Promise<TransportResponse>,
): KubeTransport {
  return { send, close: () => inner.close() };
}

/** The node whose status a request patches. */
export function nodeOfStatusPatch({ method, path }: TransportRequest): string | undefined {
  return method === 'PATCH' ? /^\/api\/v1\/nodes\/([^/?]+)\/status/.exec(path)?.[1] : undefined;
}

/** The node that a request patches otherwise. */
export function nodeOfPatch({ method, path }: TransportRequest): string | undefined {
  return method === 'PATCH' ? /^\/api\/v1\/nodes\/([^/?]+)(?:\?|$)/.exec(path)?.[1] : undefined;
}

/** A way on which writes of pod CIDRs are changed. */
export function changedAssignments(
  inner: KubeTransport,
  change: (operations: readonly Operation[]) => readonly Operation[],
): KubeTransport {
  return wrapped(inner, (request) => {
    const isAssignment =
      nodeOfPatch(request) !== undefined && String(request.body).includes('"/spec/podCIDRs"');
    return inner.send(isAssignment ? withOperations(request, change) : request);
  });
}

/** Answers a write with the node as it is, so that it looks done. */
export function pretend(
  inner: KubeTransport,
  node: string,
  { headers, signal }: TransportRequest,
): Promise<TransportResponse> {
  return inner.send({ method: 'GET', path: `/api/v1/nodes/${node}`, headers, signal });
}

export interface Operation {
  readonly op: string;
  readonly path: string;
  readonly value?: unknown;
}

/** The same request with other operations. */
export function withOperations(
  request: TransportRequest,
  change: (operations: readonly Operation[]) => readonly Operation[],
): TransportRequest {
  return { ...request, body: JSON.stringify(change(JSON.parse(String(request.body)))) };
}

export async function bodyText({ body }: TransportResponse): Promise<string> {
  let text = '';
  for await (const chunk of body) text += new TextDecoder().decode(chunk);
  return text;
}
