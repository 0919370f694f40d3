/** An answer with a JSON body. */
import type { JsonObject } from '../json/index.ts';
import type { ApiAnswer } from './exchange.ts';

export function jsonAnswer(
  status: number,
  body: JsonObject,
  headers?: Readonly<Record<string, string>>,
): ApiAnswer {
  return jsonTextAnswer(status, JSON.stringify(body), headers);
}

/** The same where the text of the body is there already. */
export function jsonTextAnswer(
  status: number,
  body: string,
  headers?: Readonly<Record<string, string>>,
): ApiAnswer {
  return { status, headers: headers === undefined ? usual : { ...usual, ...headers }, body };
}

const usual: ApiAnswer['headers'] = {
  'content-type': 'application/json',
  'cache-control': 'no-cache, private',
};
