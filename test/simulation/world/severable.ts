/**
 * A way to the API server whose watches can be cut, as when the server is restarted. A watch that has gone
 * silent or lags would else stay hurt after everything is healed, for as long as it lasts.
 */
import {
  type KubeTransport,
  TransportError,
  type TransportRequest,
  type TransportResponse,
} from '@tandem/kube/transport';

export class SeverableTransport implements KubeTransport {
  readonly #inner: KubeTransport;
  readonly #streams = new Set<() => void>();

  constructor(inner: KubeTransport) {
    this.#inner = inner;
  }

  async send(request: TransportRequest): Promise<TransportResponse> {
    const response = await this.#inner.send(request);
    if (!request.path.includes('watch=')) return response;
    return { ...response, body: this.#severable(response.body) };
  }

  /** Every watch that is open breaks off. */
  sever(): void {
    for (const cut of this.#streams) cut();
  }

  close(): Promise<void> {
    return this.#inner.close();
  }

  async *#severable(body: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
    const chunks = body[Symbol.asyncIterator]();
    const severed = new Promise<never>((_, reject) => this.#streams.add(() => reject(cutOff())));
    // A reader that has left is not told of the cut.
    severed.catch(() => undefined);
    for (;;) {
      const next = await Promise.race([chunks.next(), severed]);
      if (next.done === true) return;
      yield next.value;
    }
  }
}

function cutOff(): TransportError {
  return new TransportError('The connection was cut', {
    code: 'ConnectionLost',
    retry: 'backoff',
    effect: 'unknown',
  });
}
