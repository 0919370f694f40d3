/**
 * Wraps a transport that speaks JSON, such as that of the embedded API server, so that it answers in protobuf if
 * requested. It encodes the nodes again with the writer of the protobuf library.
 */
import { type ApiNode, nodeMessage } from '../node/api-node.fixture.ts';
import { envelope, type Field, type Message, watchFrame } from '../codec/protobuf-bytes.fixture.ts';
import type { KubeTransport, TransportResponse } from '../transport/index.ts';

export function protobufTransport(inner: KubeTransport): KubeTransport {
  return {
    async send(request) {
      const isAsked = request.headers['accept']?.includes('protobuf') ?? false;
      const headers = { ...request.headers, accept: 'application/json' };
      const response = await inner.send({ ...request, headers });
      if (!isAsked || response.status !== 200) return response;
      const isWatch = request.path.includes('watch=');
      const body = isWatch ? frames(response.body) : list(response.body);
      return {
        ...response,
        headers: { 'content-type': 'application/vnd.kubernetes.protobuf' },
        body,
      };
    },
    close: () => inner.close(),
  };
}

interface ApiList {
  readonly metadata: { readonly resourceVersion: string; readonly continue?: string };
  readonly items: readonly ApiNode[];
}

async function* list(body: TransportResponse['body']): AsyncGenerator<Uint8Array> {
  const { metadata, items }: ApiList = JSON.parse(await textOf(body));
  yield envelope('NodeList', [
    [1, [[2, metadata.resourceVersion] as const, [3, metadata.continue ?? ''] as const]],
    ...items.map((node): Field => [2, nodeMessage(complete(node))]),
  ]);
}

/** The embedded server sends whole lines, one or more in a chunk. */
async function* frames(body: TransportResponse['body']): AsyncGenerator<Uint8Array> {
  for await (const chunk of body) {
    for (const line of Buffer.from(chunk).toString().trimEnd().split('\n')) yield frame(line);
  }
}

function frame(line: string): Uint8Array {
  const { type, object } = JSON.parse(line);
  if (type === 'ERROR') return watchFrame(type, 'Status', statusMessage(object));
  const node = type === 'BOOKMARK' ? { metadata: object.metadata } : object;
  return watchFrame(type, 'Node', nodeMessage(complete(node)));
}

/** A bookmark has only a version and annotations. */
function complete(node: Partial<ApiNode>): ApiNode {
  const { metadata, spec = {}, status = {} } = node;
  const defaults = { name: '', uid: '', resourceVersion: '', creationTimestamp: epoch };
  return { metadata: { ...defaults, ...metadata }, spec, status };
}

const epoch = '1970-01-01T00:00:00Z';

interface ApiStatusObject {
  readonly code: number;
  readonly reason: string;
  readonly message: string;
  readonly details?: { readonly causes?: readonly { readonly reason: string }[] };
}

function statusMessage({ code, reason, message, details }: ApiStatusObject): Message {
  const causes = (details?.causes ?? []).map((cause): Field => [4, [[1, cause.reason] as const]]);
  return [[3, message], [4, reason], [5, causes], [6, code] as const];
}

async function textOf(body: TransportResponse['body']): Promise<string> {
  const chunks: Uint8Array[] = [];
  for await (const chunk of body) chunks.push(chunk);
  return Buffer.concat(chunks).toString();
}
