/**
 * One try of one request: past the write gate, to the server, and back with a head or a whole answer.
 * Metrics count every try. An answer other than success is thrown as the error that it means.
 */
import { CcmError, type Clock, type Timer } from '@tandem/runtime';
import { type KubeTransport, TransportError, type TransportResponse } from '../transport/index.ts';
import type { ClientMetrics } from './client-metrics.ts';
import type { Answer, StreamAnswer } from './client.ts';
import { effectOf, isSuccess, refusalOf } from './refusal.ts';
import { type ApiRequest, isMutating } from './request.ts';

interface ExchangeParts {
  readonly transport: KubeTransport;
  readonly clock: Clock;
  readonly metrics: ClientMetrics;
  readonly server: string;
  readonly answerBytesMax: number;
  readonly writeGate: () => CcmError | undefined;
}

/** A refusal has a few hundred bytes. A web page need not be read to its end. */
const refusalBytesMax = 256 * 1024;

/** Sends the request and reads the answer whole. */
export async function exchange(parts: ExchangeParts, request: ApiRequest): Promise<Answer> {
  const { clock, metrics, server } = parts;
  const startMs = clock.monotonic();
  const response = await send(parts, request);
  const answer = await readWhole(parts, request, response);
  metrics.took(request.method, clock.monotonic() - startMs);
  if (isSuccess(response)) return answer;
  throw refusalOf({ ...request, ...response, ...answer, server }, clock.now());
}

/** Sends the request and leaves the body of a success unread. */
export async function openStream(parts: ExchangeParts, request: ApiRequest): Promise<StreamAnswer> {
  const response = await send(parts, request);
  if (isSuccess(response)) return response;
  const answer = await readWhole(parts, request, response);
  const { server, clock } = parts;
  throw refusalOf({ ...request, ...response, ...answer, server }, clock.now());
}

async function send(parts: ExchangeParts, request: ApiRequest): Promise<TransportResponse> {
  const { clock, transport, metrics, writeGate } = parts;
  const refuseAtSocket = isMutating(request.method) ? writeGate : () => undefined;
  const refusal = refuseAtSocket();
  if (refusal !== undefined) throw refusal;
  try {
    const sending = transport.send({ ...request, refuseAtSocket });
    const response = await settledOrAborted(clock, request.signal, sending);
    metrics.ended(request.method, response.status);
    return response;
  } catch (err) {
    metrics.ended(request.method, '<error>');
    throw err;
  }
}

async function readWhole(
  { clock, answerBytesMax }: ExchangeParts,
  request: ApiRequest,
  response: TransportResponse,
): Promise<Answer> {
  const { method, signal } = request;
  const { status, headers } = response;
  const isGood = isSuccess(response);
  const reading = readBody(request, response, isGood ? answerBytesMax : refusalBytesMax);
  try {
    return { status, headers, body: await settledOrAborted(clock, signal, reading) };
  } catch (err) {
    if (!(err instanceof TransportError) || signal.aborted) throw err;
    // The head of a refusal has everything that matters, including `Retry-After`.
    if (!isGood) return { status, headers, body: new Uint8Array() };
    // The server sends a success only after it has stored the write.
    throw isMutating(method) ? applied(err) : err;
  }
}

function applied(err: TransportError): TransportError {
  const { message, code, retry } = err;
  return new TransportError(message, { code, retry, effect: 'applied', cause: err });
}

/**
 * The request's own outcome, or the signal's reason if the signal aborted and the transport did not
 * react. The transport's outcome has priority: only the transport knows whether anything was sent.
 */
function settledOrAborted<T>(clock: Clock, signal: AbortSignal, promise: Promise<T>): Promise<T> {
  return new Promise((resolve, reject) => {
    let grace: Timer | undefined;
    const onAbort = (): void => {
      grace = clock.after(0, () => reject(signal.reason));
    };
    if (signal.aborted) onAbort();
    else signal.addEventListener('abort', onAbort, { once: true });
    const unlink = (): void => {
      signal.removeEventListener('abort', onAbort);
      grace?.cancel();
    };
    promise.then(resolve, reject);
    promise.then(unlink, unlink);
  });
}

/** Reads up to a limit, so that an endless answer cannot exhaust the memory. */
async function readBody(
  { method, path }: ApiRequest,
  { status, body }: TransportResponse,
  bytesMax: number,
): Promise<Uint8Array> {
  const chunks: Uint8Array[] = [];
  let size = 0;
  for await (const chunk of body) {
    size += chunk.length;
    if (size > bytesMax) {
      throw new CcmError(`The response to ${method} ${path} is larger than ${bytesMax} bytes`, {
        code: 'AnswerTooLarge',
        retry: 'never',
        effect: effectOf({ method, status }),
      });
    }
    chunks.push(chunk);
  }
  return Buffer.concat(chunks);
}
