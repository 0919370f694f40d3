/**
 * One try of one request: past the write gate, to the server, and back with a head or a whole answer.
 * Metrics count every try. An answer other than success is thrown as the error that it means.
 */
import { CcmError, type Clock, type Effect, type Timer } from '@tandem/runtime';
import { type KubeTransport, TransportError, type TransportResponse } from '../transport/index.ts';
import { notSent } from './call-errors.ts';
import type { ClientMetrics } from './client-metrics.ts';
import type { Answer, StreamAnswer } from './client.ts';
import { effectOf, type Exchange, mayBeSuccess, refusalOf } from './refusal.ts';
import { type ApiRequest, isMutating } from './request.ts';

interface ExchangeParts {
  readonly transport: KubeTransport;
  readonly clock: Clock;
  readonly metrics: ClientMetrics;
  readonly server: string;
  readonly answerBytesMax: number;
  readonly writeGate: () => Error | undefined;
}

/** A refusal has a few hundred bytes. A web page need not be read to its end. */
const refusalBytesMax = 256 * 1024;

/** Sends the request and reads the answer whole. */
export async function exchange(parts: ExchangeParts, request: ApiRequest): Promise<Answer> {
  const startMs = parts.clock.monotonic();
  const response = await send(parts, request);
  const isGood = mayBeSuccess(response);
  const answer = await readWhole(parts, request, { response, isGood });
  parts.metrics.took(request.method, parts.clock.monotonic() - startMs);
  if (!isGood) throwRefusal(parts, request, { ...response, ...answer });
  return answer;
}

/** Sends the request and leaves the body of a success unread. */
export async function openStream(parts: ExchangeParts, request: ApiRequest): Promise<StreamAnswer> {
  const response = await send(parts, request);
  const { headers, body } = response;
  if (mayBeSuccess(response)) return { headers, body: body.turns?.() ?? oneByOne(body) };
  const answer = await readWhole(parts, request, { response, isGood: false });
  throwRefusal(parts, request, { ...response, ...answer });
  return { headers, body: once([answer.body]) };
}

async function send(parts: ExchangeParts, request: ApiRequest): Promise<TransportResponse> {
  const { clock, transport, metrics } = parts;
  const gate = createGate(parts, request);
  const early = gate.refuseAtSocket();
  if (early !== undefined) throw notSent(request, early);
  try {
    const { refuseAtSocket } = gate;
    const sending = transport.send({ ...request, refuseAtSocket });
    const response = await settledOrAborted(clock, request.signal, sending);
    metrics.ended(request.method, response.status);
    return response;
  } catch (err) {
    metrics.ended(request.method, '<error>');
    const refusal = gate.refusal();
    throw refusal === undefined ? err : notSent(request, refusal);
  }
}

/** The write gate for one request. It remembers its last refusal. Reads pass. */
function createGate({ writeGate }: ExchangeParts, { method }: ApiRequest) {
  let refusal: Error | undefined;
  return {
    refuseAtSocket: (): Error | undefined =>
      (refusal = isMutating(method) ? writeGate() : undefined),
    refusal: () => refusal,
  };
}

async function readWhole(
  { clock, answerBytesMax }: ExchangeParts,
  { method, path, signal }: ApiRequest,
  { response, isGood }: { readonly response: TransportResponse; readonly isGood: boolean },
): Promise<Answer> {
  const { status, headers } = response;
  const reading = readBody(response.body, {
    bytesMax: isGood ? answerBytesMax : refusalBytesMax,
    describe: () => ({
      what: `${method} ${path}`,
      effect: effectOf({ method, status }),
    }),
  });
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

function throwRefusal(
  { server, clock }: ExchangeParts,
  { method, path }: ApiRequest,
  answer: Answer & Pick<TransportResponse, 'refused'>,
): void {
  const whole: Exchange = { method, path, server, ...answer };
  const refusal = refusalOf(whole, clock.now());
  if (refusal !== undefined) throw refusal;
}

async function* once<T>(value: T): AsyncGenerator<T> {
  yield await Promise.resolve(value);
}

async function* oneByOne(body: AsyncIterable<Uint8Array>): AsyncGenerator<readonly Uint8Array[]> {
  for await (const chunk of body) yield [chunk];
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

/** Reads a whole answer up to a limit, so that an endless answer cannot exhaust the memory. */
async function readBody(
  chunks: AsyncIterable<Uint8Array>,
  {
    bytesMax,
    describe,
  }: {
    readonly bytesMax: number;
    /** Describes the request, for an error. */
    readonly describe: () => { readonly what: string; readonly effect: Effect };
  },
): Promise<Uint8Array> {
  const parts: Uint8Array[] = [];
  let size = 0;
  for await (const chunk of chunks) {
    size += chunk.length;
    if (size > bytesMax) {
      const { what, effect } = describe();
      throw new CcmError(`The response to ${what} is larger than ${bytesMax} bytes`, {
        code: 'AnswerTooLarge',
        retry: 'never',
        effect,
      });
    }
    parts.push(chunk);
  }
  const [only] = parts;
  return parts.length === 1 && only !== undefined ? only : Buffer.concat(parts);
}
