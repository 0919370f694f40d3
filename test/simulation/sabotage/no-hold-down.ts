/** Takes a Lease that ran out for one that was given back, and waits for nobody's last write (I8). */
import type { TransportResponse } from '@tandem/kube/transport';
import type { Sabotage } from '../world/index.ts';
import { bodyText, oneChunk, wrapped } from './wrap-transport.ts';

export const noHoldDown: Sabotage = {
  name: 'waits for no last write of a leader whose Lease ran out',
  transport: (inner, { clock }) =>
    wrapped(inner, async (request) => {
      const response = await inner.send(request);
      const isRead = request.method === 'GET' && /\/leases\/[^?]+$/.test(request.path);
      return isRead && response.status === 200 ? released(response, clock.now()) : response;
    }),
};

async function released(response: TransportResponse, nowMs: number): Promise<TransportResponse> {
  const text = await bodyText(response);
  const { spec, ...lease } = JSON.parse(text);
  const endMs = Date.parse(spec.renewTime) + spec.leaseDurationSeconds * 1_000;
  const body = endMs <= nowMs ? { ...lease, spec: { ...spec, holderIdentity: '' } } : undefined;
  return { ...response, body: oneChunk(body === undefined ? text : JSON.stringify(body)) };
}
