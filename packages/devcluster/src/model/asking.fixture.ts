/** Requests to an embedded cluster in virtual time, for tests. */
import type { KubeTransport, Method } from '@tandem/kube/transport';
import { seededRandom, type VirtualClock, virtualClock } from '@tandem/runtime/testing';
import { createCluster, type EmbeddedCluster } from './embedded-cluster.ts';
import type { ConnectOptions } from './model-transport.ts';

export interface Reply {
  readonly status: number;
  readonly body: ReturnType<typeof JSON.parse>;
}

export interface TestCluster {
  readonly clock: VirtualClock;
  readonly cluster: EmbeddedCluster;
  readonly transport: KubeTransport;
}

export function aCluster(connect: ConnectOptions = {}): TestCluster {
  const clock = virtualClock({ startMs: Date.UTC(2026, 0, 1) });
  const cluster = createCluster({ clock, random: seededRandom('test') });
  return { clock, cluster, transport: cluster.connect({ latencyMs: 0, ...connect }) };
}

export async function ask(
  { transport }: Pick<TestCluster, 'transport'>,
  method: Method,
  path: string,
  body?: unknown,
  contentType = 'application/json',
): Promise<Reply> {
  const response = await transport.send({
    method,
    path,
    headers: { 'content-type': contentType },
    signal: new AbortController().signal,
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });
  const chunks: Uint8Array[] = [];
  for await (const chunk of response.body) chunks.push(chunk);
  return { status: response.status, body: JSON.parse(Buffer.concat(chunks).toString()) };
}
