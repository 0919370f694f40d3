/** A request to the fake that no SDK would make: by hand, over the same TLS. */
import { urlToHttpOptions } from 'node:url';
import { exchange } from '../../control-plane/index.ts';

interface ArmAnswer {
  readonly status: number;
  readonly json: unknown;
}

export async function ask(
  url: string,
  options: {
    readonly method?: string;
    readonly headers?: Readonly<Record<string, string>>;
    readonly body?: string;
  } = {},
): Promise<ArmAnswer> {
  const { method = 'GET', headers = {}, body } = options;
  const target = { ...urlToHttpOptions(new URL(url)), method, headers };
  const response = await exchange(target, { body, limitMs: 30_000 });
  return { status: response.status, json: JSON.parse(response.body.toString('utf8')) };
}
