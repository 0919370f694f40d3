/** The requests of a simulated kubelet to the API server. Every answer, also a refusal, is a value. */
import type { KubeTransport, Method } from '@tandem/kube/transport';

/** An answer. Its value is decoded only when a caller reads it, because most callers need only the status. */
export class Reply {
  readonly status: number;
  readonly #chunks: readonly Uint8Array[];

  constructor(status: number, chunks: readonly Uint8Array[]) {
    this.status = status;
    this.#chunks = chunks;
  }

  get value(): unknown {
    const value: unknown = JSON.parse(Buffer.concat(this.#chunks).toString());
    return value;
  }
}

export interface Message {
  readonly method: Method;
  readonly path: string;
  readonly body?: object;
  readonly contentType?: string;
  readonly accept?: string;
}

export async function ask(
  transport: KubeTransport,
  { method, path, body, contentType = json, accept = json }: Message,
  signal: AbortSignal,
): Promise<Reply> {
  const response = await transport.send({
    method,
    path,
    headers: { accept, 'content-type': contentType },
    signal,
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });
  const chunks: Uint8Array[] = [];
  for await (const chunk of response.body) chunks.push(chunk);
  return new Reply(response.status, chunks);
}

const json = 'application/json';

/** For writes after which only the identity of the object matters. */
export const metadataOnly = 'application/json;as=PartialObjectMetadata;g=meta.k8s.io;v=v1';

export const strategicMerge = 'application/strategic-merge-patch+json';
