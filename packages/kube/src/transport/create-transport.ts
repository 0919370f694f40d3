/**
 * The real transport: undici on keep-alive connections, with an identity. If the server does not accept
 * the identity (401), the transport reads it again once. If it has changed, the transport repeats the
 * request with the new one: a token that has just rotated is no failure. Nothing else is ever sent twice.
 */
import { untilAborted } from '@tandem/runtime';
import type { Credentials, Identity } from '../credentials/credentials.ts';
import { notSent, transportClosed } from './connection-failure.ts';
import { Connections } from './connections.ts';
import { ExchangeHandler } from './exchange-handler.ts';
import type { KubeTransport, TransportRequest, TransportResponse } from './transport.ts';

export interface TransportOptions {
  readonly credentials: Credentials;
  /** The user agent in the logs of the API server: `tandem/1.0.0 (linux/x64)`. */
  readonly userAgent: string;
  /** The origin of the server address, for errors: `the kubeconfig /etc/kubeconfig`. */
  readonly serverFrom?: string | undefined;
}

export function createTransport(options: TransportOptions): KubeTransport {
  const { credentials, serverFrom = 'the kubeconfig' } = options;
  const server = { url: credentials.server, from: serverFrom };
  const { origin, pathname } = new URL(server.url);
  const prefix = pathname === '/' ? '' : pathname;
  const connections = new Connections(origin);
  let isClosed = false;

  const sendAs = (identity: Identity, request: TransportRequest): Promise<TransportResponse> => {
    if (isClosed) return Promise.reject(transportClosed());
    const handler = new ExchangeHandler(request, server);
    const { method, path, body = null } = request;
    const headers = { ...request.headers, ...identity.headers, 'user-agent': options.userAgent };
    const exchange = { method, path: prefix + path, headers: inTurns(headers), body };
    connections.poolFor(identity.tls).dispatch(exchange, handler);
    return handler.response;
  };

  /** A plug-in or a disk may be slow. An aborted request has no effect. */
  const identityFor = async ({ signal }: TransportRequest): Promise<Identity> => {
    try {
      signal.throwIfAborted();
      return await untilAborted(signal, credentials.identity());
    } catch (err) {
      throw signal.aborted ? notSent(signal.reason, server) : err;
    }
  };

  const refusing = (response: TransportResponse): TransportResponse =>
    response.status === 401 ? { ...response, refused: credentials.origin } : response;

  return {
    async send(request) {
      const identity = await identityFor(request);
      const response = await sendAs(identity, request);
      if (response.status !== 401) return response;
      // Without new credentials the refusal is the answer.
      const renewing = untilAborted(request.signal, credentials.renew(identity));
      const other = await renewing.catch(() => undefined);
      if (other === undefined) return refusing(response);
      await discard(response);
      return refusing(await sendAs(other, request));
    },
    async close() {
      isClosed = true;
      await connections.destroy();
    },
  };
}

/** Reads the rest, so that the connection can be reused. */
async function discard({ body }: TransportResponse): Promise<void> {
  for await (const _ of body);
}

/** Alternating names and values, as undici takes them. A name with two values occurs twice. */
function inTurns(headers: Identity['headers']): string[] {
  const turns: string[] = [];
  for (const [name, value] of Object.entries(headers)) {
    if (typeof value === 'string') turns.push(name, value);
    else for (const one of value) turns.push(name, one);
  }
  return turns;
}

/**
 * The user agent in the form of client-go: people search audit logs for the part before the slash.
 */
export function userAgent({ program, version }: { program: string; version: string }): string {
  return `${program}/${version} (${process.platform}/${process.arch})`;
}
