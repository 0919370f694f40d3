/**
 * One request in undici, which calls back as it proceeds: a socket takes it, a head arrives, then the
 * body. Only this class knows whether anything can have been sent. It stops a request at the last moment:
 * nothing else runs between `onRequestStart` and the first byte.
 */
import type { Dispatcher } from 'undici';
import { connectFailure, lostConnection, type NamedServer, notSent } from './connection-failure.ts';
import { type Flow, ResponseBody } from './response-body.ts';
import type { TransportRequest, TransportResponse } from './transport.ts';

type Controller = Dispatcher.DispatchController;
type Headers = Parameters<NonNullable<Dispatcher.DispatchHandler['onResponseStart']>>[2];

export class ExchangeHandler implements Dispatcher.DispatchHandler, Flow {
  readonly #request: TransportRequest;
  readonly #server: NamedServer;
  readonly #head = Promise.withResolvers<TransportResponse>();
  #controller: Controller | undefined;
  #body: ResponseBody | undefined;
  /** The reason if we stopped the request. */
  #stop: { readonly reason: unknown } | undefined;

  constructor(request: TransportRequest, server: NamedServer) {
    this.#request = request;
    this.#server = server;
    request.signal.addEventListener('abort', this.#onAbort, { once: true });
    if (request.signal.aborted) this.#onAbort();
  }

  get response(): Promise<TransportResponse> {
    return this.#head.promise;
  }

  onRequestStart(controller: Controller): void {
    if (this.#stop !== undefined) throw new StoppedError();
    // A request must be sent only once. undici might repeat it where that is not safe.
    if (this.#controller !== undefined) throw new StoppedError();
    const refusal = this.#request.refuseAtSocket?.();
    if (refusal !== undefined) {
      this.#stopWith(refusal);
      throw new StoppedError();
    }
    this.#controller = controller;
  }

  onResponseStart(_: Controller, status: number, headers: Headers): void {
    const isInterim = status < 200;
    if (isInterim) return;
    this.#body = new ResponseBody(this);
    this.#head.resolve({ status, headers: joined(headers), body: this.#body });
  }

  onResponseData(_: Controller, chunk: Buffer): void {
    this.#body?.push(chunk);
  }

  onResponseEnd(): void {
    this.#unlink();
    this.#body?.finish();
  }

  onResponseError(_: Controller, err: Error): void {
    this.#unlink();
    const { method } = this.#request;
    const server = this.#server;
    const wasTaken = this.#controller !== undefined;
    const failure = wasTaken
      ? lostConnection(err, { method, server })
      : connectFailure(err, server);
    // Both do nothing if we stopped the request.
    this.#head.reject(failure);
    this.#body?.fail(failure);
  }

  pause(): void {
    this.#controller?.pause();
  }

  resume(): void {
    this.#controller?.resume();
  }

  /** The reader stopped early. */
  abandon(): void {
    this.#unlink();
    this.#controller?.abort(new StoppedError());
  }

  readonly #onAbort = (): void => {
    const reason: unknown = this.#request.signal.reason;
    const wasTaken = this.#controller !== undefined;
    this.#stopWith(wasTaken ? reason : notSent(reason, this.#server));
    this.#controller?.abort(new StoppedError());
  };

  #stopWith(reason: unknown): void {
    this.#stop = { reason };
    this.#unlink();
    this.#head.reject(reason);
    this.#body?.abort(reason);
  }

  #unlink(): void {
    this.#request.signal.removeEventListener('abort', this.#onAbort);
  }
}

/** Tells undici to drop a request. No caller sees this error. */
class StoppedError extends Error {
  constructor() {
    super('stopped');
    this.name = 'StoppedError';
  }
}

/** A header with several values becomes one, as in RFC 9110. */
function joined(headers: Headers): Record<string, string | undefined> {
  const entries = Object.entries(headers).map(
    ([name, value]) => [name, Array.isArray(value) ? value.join(', ') : value] as const,
  );
  return Object.fromEntries(entries);
}
