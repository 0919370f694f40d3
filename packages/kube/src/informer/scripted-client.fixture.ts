/**
 * A client whose answers a test scripts, in order, as an API server would send them in JSON. It records
 * the requests in a form that reads well in an assertion.
 */
import { ApiError, type ApiStatus, type KubeClient } from '../client/index.ts';
import { TransportError } from '../transport/index.ts';

/** A watch that the informer opened. The test sends its events. */
export interface ScriptedWatch {
  send(type: string, object: object): void;
  sendText(text: string): void;
  bookmark(resourceVersion: string, options?: { readonly endsList: boolean }): void;
  /** The server ends the watch as usual. */
  end(): void;
  /** The connection is lost. */
  break(): void;
  readonly isClosed: boolean;
}

export type ScriptedAnswer =
  | { readonly kind: 'watch' }
  | { readonly kind: 'list'; readonly list: object }
  | { readonly kind: 'refused'; readonly err: Error };

export interface ScriptedClient extends KubeClient {
  /** The requests, oldest first, such as `stream 7` or `resume 12`. */
  readonly asked: string[];
  readonly queries: Readonly<Record<string, string>>[];
  readonly accepts: string[];
  /** The watch that was opened last. */
  watch(): ScriptedWatch;
  /** The answers to the next requests. Requests after these get a watch. */
  readonly script: ScriptedAnswer[];
}

export function scriptedClient(): ScriptedClient {
  const asked: string[] = [];
  const queries: Readonly<Record<string, string>>[] = [];
  const accepts: string[] = [];
  const script: ScriptedAnswer[] = [];
  let last: OpenWatch | undefined;
  const note = (query: Readonly<Record<string, string>>, accept = ''): ScriptedAnswer => {
    asked.push(describeQuery(query));
    queries.push(query);
    accepts.push(accept);
    return script.shift() ?? { kind: 'watch' };
  };
  return {
    asked,
    queries,
    accepts,
    script,
    watch() {
      if (last === undefined) throw new Error('no watch was opened');
      return last;
    },
    async open({ query, accept, signal }) {
      signal.throwIfAborted();
      const answer = note(query, accept);
      if (answer.kind === 'refused') throw answer.err;
      last = new OpenWatch(signal);
      return { headers: { 'content-type': 'application/json' }, body: last };
    },
    async call({ query = {}, accept }) {
      const answer = note(query, accept);
      if (answer.kind === 'refused') throw answer.err;
      if (answer.kind !== 'list') throw new Error('the script has no list here');
      const body = Buffer.from(JSON.stringify(answer.list));
      return { status: 200, headers: { 'content-type': 'application/json' }, body };
    },
  };
}

/** A refusal by the API server. */
export function refusal(
  code: number,
  facts: { readonly reason?: string; readonly cause?: string; readonly retryAfterMs?: number } = {},
): ApiError {
  const { reason = '', cause, retryAfterMs } = facts;
  const status: ApiStatus = {
    code,
    reason,
    message: `refused with ${code}`,
    causes: cause === undefined ? [] : [{ reason: cause, message: '', field: '' }],
    retryAfterSeconds: undefined,
  };
  const retry = retryAfterMs === undefined ? 'backoff' : { afterMs: retryAfterMs };
  return new ApiError(status.message, { code: 'ApiRefused', retry, effect: 'none', status });
}

export function lostConnection(): TransportError {
  return new TransportError('The connection was lost', {
    code: 'ConnectionLost',
    retry: 'backoff',
    effect: 'unknown',
  });
}

/** The `Status` of an ERROR event. */
export function errorStatus(code: number, cause?: string): object {
  const details = cause === undefined ? {} : { details: { causes: [{ reason: cause }] } };
  return { kind: 'Status', status: 'Failure', code, message: 'it ended', ...details };
}

function describeQuery(query: Readonly<Record<string, string>>): string {
  const { watch, sendInitialEvents, resourceVersion, continue: token } = query;
  if (token !== undefined) return `page ${token}`;
  const step = watch === undefined ? 'pages' : sendInitialEvents === 'true' ? 'stream' : 'resume';
  return resourceVersion === undefined ? step : `${step} ${resourceVersion}`;
}

class OpenWatch implements ScriptedWatch, AsyncIterable<Uint8Array> {
  readonly #chunks: Uint8Array[] = [];
  #outcome: { readonly err?: Error } | undefined;
  #wake = (): void => {};
  isClosed = false;

  constructor(signal: AbortSignal) {
    signal.addEventListener('abort', () => {
      this.#settle({ err: new Error('aborted', { cause: signal.reason }) });
      this.isClosed = true;
    });
  }

  send(type: string, object: object): void {
    this.sendText(`${JSON.stringify({ type, object })}\n`);
  }

  sendText(text: string): void {
    this.#chunks.push(Buffer.from(text));
    this.#wake();
  }

  bookmark(resourceVersion: string, { endsList = false } = {}): void {
    const annotations = endsList ? { 'k8s.io/initial-events-end': 'true' } : {};
    this.send('BOOKMARK', { kind: 'Node', metadata: { resourceVersion, annotations } });
  }

  end(): void {
    this.#settle({});
  }

  break(): void {
    this.#settle({ err: lostConnection() });
  }

  #settle(outcome: { readonly err?: Error }): void {
    this.#outcome ??= outcome;
    this.#wake();
  }

  async *[Symbol.asyncIterator](): AsyncGenerator<Uint8Array> {
    for (;;) {
      const chunk = this.#chunks.shift();
      if (chunk !== undefined) yield chunk;
      else if (this.#outcome !== undefined) {
        if (this.#outcome.err !== undefined) throw this.#outcome.err;
        return;
      } else {
        await new Promise<void>((resolve) => {
          this.#wake = resolve;
        });
      }
    }
  }
}
