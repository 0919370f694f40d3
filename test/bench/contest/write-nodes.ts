/**
 * The bare client's work: it knows all names and values in advance, reads nothing, and sends each node's writes one
 * after the other, sixteen nodes at a time. Then the process keeps running until a signal ends it, so that the bench
 * can read its usage from the kernel.
 */
import { loadCredentials } from '@tandem/kube/credentials';
import { createTransport, type KubeTransport } from '@tandem/kube/transport';
import type { Clock } from '@tandem/runtime';

const nodesAtOnce = 16;

export interface Write {
  readonly method: 'PATCH' | 'POST';
  readonly path: string;
  /** A JSON patch, or the object to create. */
  readonly body: unknown;
}

export async function writeNodes(options: {
  readonly kubeconfig: string;
  readonly nodes: number;
  readonly clock: Clock;
  /** In the order in which they are sent. */
  readonly writesOf: (number: number) => readonly Write[];
}): Promise<void> {
  const { kubeconfig, nodes, clock, writesOf } = options;
  const credentials = await loadCredentials({ kubeconfig, environment: {}, clock });
  const transport = createTransport({ credentials, userAgent: 'bare-client' });
  let begun = 0;
  const work = async (): Promise<void> => {
    while (begun < nodes) {
      const number = begun;
      begun += 1;
      for (const write of writesOf(number)) await send(transport, write);
    }
  };
  await Promise.all(Array.from({ length: nodesAtOnce }, work));
  // The timer keeps the process alive until a signal ends it.
  clock.after(24 * 60 * 60_000, () => {});
}

async function send(transport: KubeTransport, { method, path, body }: Write): Promise<void> {
  const headers = {
    accept: 'application/json;as=PartialObjectMetadata;g=meta.k8s.io;v=v1,application/json',
    'content-type': method === 'PATCH' ? 'application/json-patch+json' : 'application/json',
  };
  const { signal } = new AbortController();
  const request = { method, path, headers, body: JSON.stringify(body), signal };
  const answer = await transport.send(request);
  const chunks: Uint8Array[] = [];
  for await (const chunk of answer.body) chunks.push(chunk);
  if (answer.status >= 300) {
    throw new Error(`${method} ${path}: ${answer.status} ${Buffer.concat(chunks).toString()}`);
  }
}
