/** An answer with a JSON body. */
import type { JsonObject } from '../json/index.ts';
import type { ApiAnswer } from './exchange.ts';

export function jsonAnswer(
  status: number,
  body: JsonObject,
  headers: Readonly<Record<string, string>> = {},
): ApiAnswer {
  return {
    status,
    headers: {
      'content-type': 'application/json',
      'cache-control': 'no-cache, private',
      ...headers,
    },
    body: JSON.stringify(body),
  };
}
