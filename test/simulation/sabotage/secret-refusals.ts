/** Refuses nodes and tells nobody (P6). */
import type { TransportRequest, TransportResponse } from '@tandem/kube/transport';
import type { Sabotage } from '../world/index.ts';
import { wrapped } from './wrap-transport.ts';

export const secretRefusals: Sabotage = {
  name: 'loses the Warning events of refusals',
  transport: (inner) =>
    wrapped(inner, async (request) =>
      isWarning(request) ? created(request) : inner.send(request),
    ),
};

function isWarning({ method, path, body }: TransportRequest): boolean {
  return method === 'POST' && path.includes('/events') && String(body).includes('"Warning"');
}

function created({ body }: TransportRequest): TransportResponse {
  const headers = { 'content-type': 'application/json' };
  return { status: 201, headers, body: oneChunk(String(body)) };
}

async function* oneChunk(text: string): AsyncGenerator<Uint8Array> {
  yield new TextEncoder().encode(text);
}
