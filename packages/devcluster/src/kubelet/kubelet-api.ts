/** What a simulated kubelet says to the API server: a few requests, each with an answer as a value. */
import type { KubeTransport, Method } from '@tandem/kube/transport';

export interface Reply {
  readonly status: number;
  readonly value: unknown;
}

export interface Message {
  readonly method: Method;
  readonly path: string;
  readonly body?: object;
  readonly contentType?: string;
}

export async function ask(
  transport: KubeTransport,
  { method, path, body, contentType = 'application/json' }: Message,
  signal: AbortSignal,
): Promise<Reply> {
  const response = await transport.send({
    method,
    path,
    headers: { accept: 'application/json', 'content-type': contentType },
    signal,
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });
  const decoder = new TextDecoder();
  let text = '';
  for await (const chunk of response.body) text += decoder.decode(chunk, { stream: true });
  return { status: response.status, value: JSON.parse(text) };
}

export const strategicMerge = 'application/strategic-merge-patch+json';
