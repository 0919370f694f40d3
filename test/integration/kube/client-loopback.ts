/**
 * Small servers on loopback that behave like API servers, proxies and networks with faults, and identities to reach
 * them. Each is closed with its connections when its test has ended.
 */
import { createServer as createHttpServer, type RequestListener } from 'node:http';
import { createServer as createHttpsServer } from 'node:https';
import type { Server, Socket } from 'node:net';
import { systemClock } from '@tandem/runtime';
import type { Credentials, Identity } from '@tandem/kube/credentials';
import { createTransport, type KubeTransport } from '@tandem/kube/transport';
import { createAuthority } from '../../control-plane/index.ts';

const authority = createAuthority('loopback authority', systemClock.now());
/** The certificate of the servers. */
export const loopbackTls: { readonly cert: string; readonly key: string } = authority.issue({
  commonName: 'loopback',
  hosts: ['127.0.0.1'],
  uses: ['serverAuth'],
});

interface Loopback extends AsyncDisposable {
  readonly url: string;
  readonly server: Server;
  /** The number of connections so far. */
  readonly connections: number;
}

/** An HTTPS server whose certificate the identities below trust. */
export function startTls(listener: RequestListener): Promise<Loopback> {
  return listen(createHttpsServer(loopbackTls, listener), 'https');
}

export function startPlain(listener: RequestListener): Promise<Loopback> {
  return listen(createHttpServer(listener), 'http');
}

export async function listen(server: Server, scheme: 'http' | 'https'): Promise<Loopback> {
  const sockets = new Set<Socket>();
  let connections = 0;
  server.on('connection', (socket: Socket) => {
    connections++;
    sockets.add(socket);
  });
  await new Promise<void>((resolve) => {
    server.listen(0, '127.0.0.1', resolve);
  });
  const address = server.address();
  const port = typeof address === 'object' ? address?.port : undefined;
  return {
    url: `${scheme}://127.0.0.1:${port}`,
    server,
    get connections() {
      return connections;
    },
    async [Symbol.asyncDispose]() {
      for (const socket of sockets) socket.destroy();
      await new Promise((resolve) => {
        server.close(resolve);
      });
    },
  };
}

/** Credentials with these identities: after a refusal, they move on to the next one. */
export function credentialsFor(server: string, ...identities: Partial<Identity>[]): Credentials {
  const all = (identities.length === 0 ? [{}] : identities).map(anIdentity);
  let current = 0;
  const identity = (): Identity => all[Math.min(current, all.length - 1)] ?? anIdentity();
  return {
    server,
    identity: () => Promise.resolve(identity()),
    renew: (refused) => {
      if (refused === identity()) current++;
      return Promise.resolve(identity() === refused ? undefined : identity());
    },
  };
}

export function anIdentity(changes: Partial<Identity> = {}): Identity {
  return { tls: { ca: authority.cert, isVerified: true }, headers: {}, ...changes };
}

/** A transport that is closed with its test. */
export function transportTo(
  server: string | Credentials,
): KubeTransport & AsyncDisposable & { get(path?: string): ReturnType<KubeTransport['send']> } {
  const credentials = typeof server === 'string' ? credentialsFor(server) : server;
  const transport = createTransport({ credentials, userAgent: 'tandem/test' });
  const { signal } = new AbortController();
  return {
    ...transport,
    get: (path = '/') => transport.send({ method: 'GET', path, headers: {}, signal }),
    [Symbol.asyncDispose]: () => transport.close(),
  };
}

export async function textOf(chunks: AsyncIterable<Uint8Array>): Promise<string> {
  const parts: Uint8Array[] = [];
  for await (const chunk of chunks) parts.push(chunk);
  return Buffer.concat(parts).toString('utf8');
}
