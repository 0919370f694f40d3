import assert from 'node:assert/strict';
import type { KubeTransport, TransportRequest } from '@tandem/kube/transport';
import { leaseAsManager } from './clients.ts';

describe('the transport of controllers with their own identity', () => {
  const sent: string[] = [];
  const line = (name: string): KubeTransport => ({
    async send({ path }: TransportRequest) {
      sent.push(`${name} ${path}`);
      return { status: 200, headers: {}, body: (async function* () {})() };
    },
    async close() {
      sent.push(`${name} closed`);
    },
  });

  it('uses the manager’s identity for the Lease, and their own for everything else', async () => {
    const transport = leaseAsManager({ manager: line('manager'), controllers: line('own') });
    const paths = [
      '/api/v1/nodes/n',
      '/apis/coordination.k8s.io/v1/namespaces/kube-system/leases/l',
      '/apis/events.k8s.io/v1/namespaces/default/events',
    ];
    const { signal } = new AbortController();
    for (const path of paths) {
      await transport.send({ method: 'GET', path, headers: {}, signal });
    }
    await transport.close();
    assert.deepEqual(sent, [
      `own ${paths[0]}`,
      `manager ${paths[1]}`,
      `own ${paths[2]}`,
      'own closed',
    ]);
  });
});
