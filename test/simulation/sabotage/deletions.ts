/** Managers that delete nodes which they must keep. */
import type { KubeTransport, TransportRequest } from '@tandem/kube/transport';
import type { LookupAnswer } from '@tandem/provider/plug';
import type { Sabotage } from '../world/index.ts';
import { bodyText, wrapped } from './wrap-transport.ts';

/** Takes an error, and an answer that is missing, for absence (P3). */
export const errorAsAbsence: Sabotage = {
  name: 'takes an error for absence',
  provider: (inner, clock) => ({
    ...inner,
    async lookup(nodes, options) {
      const absent: LookupAnswer = { kind: 'absent', asOfMs: clock.monotonic() };
      const answers = await inner.lookup(nodes, options).catch(() => undefined);
      return new Map(
        nodes.map(({ name }) => {
          const answer = answers?.get(name) ?? absent;
          return [name, answer.kind === 'unknown' ? absent : answer];
        }),
      );
    },
  }),
};

/** Deletes a node on the first absent answers, however close together (P3). */
export const hasty: Sabotage = {
  name: 'waits for no grace before it deletes',
  flags: ['--node-deletion-grace=0s'],
};

/** Takes every newcomer for a machine of its own, and deletes it when its cloud does not know it (P3). */
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
  const { items = [] }: { items?: readonly Listed[] } = JSON.parse(await bodyText(answer));
  for (const { metadata, spec, status } of items) {
    const isReady = status.conditions?.some((one) => one.type === 'Ready' && one.status === 'True');
    if (spec.providerID !== undefined || isReady) continue;
    const { name, uid, resourceVersion } = metadata;
    const body = JSON.stringify({ preconditions: { uid, resourceVersion } });
    await inner.send({ method: 'DELETE', path: `${path}/${name}`, headers, signal, body });
  }
}

/** Deletes nodes by their name alone, although a namesake may have it by then (P2, P3). */
export const blindDelete: Sabotage = {
  name: 'deletes nodes without preconditions',
  transport: (inner) =>
    wrapped(inner, (request) =>
      inner.send(request.method === 'DELETE' ? { ...request, body: '{}' } : request),
    ),
};
