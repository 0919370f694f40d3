/** Takes every newcomer for a machine of its own, and deletes it when its cloud does not know it (P3). */
import type { KubeTransport, TransportRequest } from '@tandem/kube/transport';
import type { Sabotage } from '../world/index.ts';
import { wrapped } from './wrap-transport.ts';

export const claimedNewcomers: Sabotage = {
  name: 'deletes newcomers that its cloud has never heard of',
  transport: (inner) =>
    wrapped(inner, async (request) => {
      const isRenewal = request.method === 'PUT' && request.path.includes('/leases/');
      if (isRenewal) await deleteNewcomers(inner, request).catch(() => undefined);
      return inner.send(request);
    }),
};

interface Listed {
  readonly metadata: {
    readonly name: string;
    readonly uid: string;
    readonly resourceVersion: string;
  };
  readonly spec: { readonly providerID?: string };
  readonly status: { readonly conditions?: readonly { type: string; status: string }[] };
}

async function deleteNewcomers(
  inner: KubeTransport,
  { headers, signal }: TransportRequest,
): Promise<void> {
  const accept = { ...headers, accept: 'application/json' };
  const path = '/api/v1/nodes';
  const answer = await inner.send({ method: 'GET', path, headers: accept, signal });
  let text = '';
  for await (const chunk of answer.body) text += new TextDecoder().decode(chunk);
  const { items = [] }: { items?: readonly Listed[] } = JSON.parse(text);
  for (const { metadata, spec, status } of items) {
    const isReady = status.conditions?.some((one) => one.type === 'Ready' && one.status === 'True');
    if (spec.providerID !== undefined || isReady) continue;
    const { name, uid, resourceVersion } = metadata;
    const body = JSON.stringify({ preconditions: { uid, resourceVersion } });
    await inner.send({ method: 'DELETE', path: `${path}/${name}`, headers, signal, body });
  }
}
