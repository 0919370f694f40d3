/** A request to the embedded API server and its answer, independent of the transport. */
import type { User } from '../access/index.ts';
import type { JsonObject } from '../json/index.ts';

export interface ApiRequest {
  /** Any HTTP method; the server refuses those that it does not know. */
  readonly method: string;
  /** Path and query. */
  readonly path: string;
  /** Names in lower case. */
  readonly headers: Readonly<Record<string, string | undefined>>;
  readonly body: string;
  readonly user: User;
  /** Ends a watch whenever it aborts. */
  readonly signal: AbortSignal;
  /** An older version, which answers lists that do not insist on the newest one. */
  readonly staleVersion?: number | undefined;
  /** Whether the server knows streaming lists, as since 1.34. */
  readonly hasStreamingList: boolean;
}

export interface ApiAnswer {
  readonly status: number;
  /** Names in lower case. */
  readonly headers: Readonly<Record<string, string>>;
  /** The whole body, or its chunks as they come. */
  readonly body: string | AsyncIterable<Uint8Array>;
}

/** The limit of a kube-apiserver. */
export const bodyBytesMax: number = 3 * 1024 * 1024;

/** An answer with a JSON body. */
export function jsonAnswer(
  status: number,
  body: JsonObject,
  headers?: Readonly<Record<string, string>>,
): ApiAnswer {
  return jsonTextAnswer(status, JSON.stringify(body), headers);
}

/** The same for a body that is JSON text already. */
export function jsonTextAnswer(
  status: number,
  body: string,
  headers?: Readonly<Record<string, string>>,
): ApiAnswer {
  return {
    status,
    headers: headers === undefined ? jsonHeaders : { ...jsonHeaders, ...headers },
    body,
  };
}

const jsonHeaders: ApiAnswer['headers'] = {
  'content-type': 'application/json',
  'cache-control': 'no-cache, private',
};
