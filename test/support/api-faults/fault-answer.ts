/** The answers of an API server in trouble, as it words them. */
import type { TransportResponse } from '@tandem/kube/transport';
import type { FaultKind } from './fault-plan.ts';

const answers: Readonly<
  Partial<Record<FaultKind, { code: number; reason: string; headers?: Record<string, string> }>>
> = {
  conflict: { code: 409, reason: 'Conflict' },
  gone: { code: 410, reason: 'Expired' },
  'too-many-requests': { code: 429, reason: 'TooManyRequests', headers: { 'retry-after': '1' } },
  'internal-error': { code: 500, reason: 'InternalError' },
  unavailable: { code: 503, reason: 'ServiceUnavailable' },
};

/** The answer that takes the place of the real one, if the fault has one. */
export function faultAnswer(kind: FaultKind): TransportResponse | undefined {
  const answer = answers[kind];
  if (answer === undefined) return undefined;
  const { code, reason, headers = {} } = answer;
  const status = {
    kind: 'Status',
    apiVersion: 'v1',
    metadata: {},
    status: 'Failure',
    message: `injected: ${reason}`,
    reason,
    code,
  };
  return {
    status: code,
    headers: { 'content-type': 'application/json', ...headers },
    body: chunkOf(JSON.stringify(status)),
  };
}

async function* chunkOf(text: string): AsyncGenerator<Uint8Array> {
  yield new TextEncoder().encode(text);
}
