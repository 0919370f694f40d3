/**
 * A transport that answers from a script, one step per request, and records the requests. A step that is
 * `silent` leaves the request without an answer until its signal aborts.
 */
import type { KubeTransport, TransportRequest, TransportResponse } from '../transport/index.ts';

export type Step =
  | { status: number; headers?: Record<string, string>; body?: unknown }
  | { fail: Error }
  | 'silent';

export interface ScriptedTransport extends KubeTransport {
  readonly requests: TransportRequest[];
}

/** Repeats the last step without end. */
export function scriptedTransport(...steps: readonly Step[]): ScriptedTransport {
  const requests: TransportRequest[] = [];
  return {
    requests,
    send(request) {
      const step = steps[Math.min(requests.length, steps.length - 1)] ?? 'silent';
      requests.push(request);
      const refusal = request.refuseAtSocket?.();
      if (refusal !== undefined) return Promise.reject(refusal);
      if (step === 'silent') return untilAbort(request.signal);
      return 'fail' in step ? Promise.reject(step.fail) : Promise.resolve(responseOf(step));
    },
    close: () => Promise.resolve(),
  };
}

function untilAbort(signal: AbortSignal): Promise<never> {
  return new Promise((_, reject) => {
    signal.addEventListener('abort', () => reject(signal.reason), { once: true });
  });
}

function responseOf(step: Exclude<Step, 'silent' | { fail: Error }>): TransportResponse {
  const { status, headers = { 'content-type': 'application/json' }, body = {} } = step;
  return { status, headers, body: chunks(toBytes(body)) };
}

function toBytes(body: unknown): Uint8Array {
  if (body instanceof Uint8Array) return body;
  return new TextEncoder().encode(typeof body === 'string' ? body : JSON.stringify(body));
}

/** Two halves, so that code that reads only the first chunk fails. */
async function* chunks(bytes: Uint8Array): AsyncGenerator<Uint8Array> {
  const middle = bytes.length >> 1;
  yield await Promise.resolve(bytes.subarray(0, middle));
  yield bytes.subarray(middle);
}
