/** A call of the fake that no SDK would make: by hand, over the same TLS. */
import { once } from 'node:events';
import type { IncomingMessage } from 'node:http';
import { request } from 'node:https';
import { bodyOf } from '../loopback-server.ts';

interface ArmAnswer {
  readonly status: number | undefined;
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
  const outgoing = request(url, {
    method: options.method ?? 'GET',
    headers: { ...options.headers },
  });
  outgoing.end(options.body);
  const [response]: IncomingMessage[] = await once(outgoing, 'response');
  if (response === undefined) throw new Error(`${url} did not answer`);
  return { status: response.statusCode, json: JSON.parse(await bodyOf(response)) };
}
