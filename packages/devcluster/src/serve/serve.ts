/**
 * The embedded cluster over HTTPS, on an address of this machine and with an authority of its own, for
 * kubectl and for programs that are to meet sockets. It verifies clients by certificate or token, keeps
 * connections alive, and leaves nothing behind when it is stopped.
 */
import { once } from 'node:events';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { createServer, type Server } from 'node:https';
import {
  type Authority,
  createAuthority,
  type KeyPair,
  type Subject,
} from '@tandem/manager/certificates';
import type { Clock, Ids } from '@tandem/runtime';
import { admin, masters } from '../access/index.ts';
import { kubeconfigOf } from '../kubeconfig/index.ts';
import type { EmbeddedCluster } from '../model/index.ts';
import { handleRequest } from './handle-request.ts';
import { ServeError } from './serve-error.ts';

export interface ServeOptions {
  readonly cluster: EmbeddedCluster;
  readonly clock: Clock;
  /** The administrator's token is drawn from here. */
  readonly ids: Ids;
  /** Loopback unless somebody asks for more. */
  readonly host?: string;
  /** 0 for any that is free. */
  readonly port?: number;
}

export interface ServedCluster {
  /** `https://127.0.0.1:6443`. */
  readonly server: string;
  /** The authority that clients have to trust, PEM. */
  readonly ca: string;
  /** The administrator's certificate. */
  readonly admin: KeyPair;
  /** The administrator's bearer token, for clients without a certificate. */
  readonly token: string;
  /** The text of the administrator's kubeconfig. */
  readonly kubeconfig: string;
  /** A certificate for somebody else. */
  issue(subject: Omit<Subject, 'hosts' | 'uses'>): KeyPair;
  /** Ends watches, lets answers under way go out, and closes everything. */
  stop(): Promise<void>;
}

const clusterName = 'tandem-devcluster';
/** Nobody's `npm start` runs for a year. */
const validityMs = 365 * 24 * 3_600_000;
/** How long answers under way may take when the server stops. */
const stopMsMax = 2_000;
/** Clients keep connections for about this long. */
const keepAliveMs = 90_000;

export async function serve(options: ServeOptions): Promise<ServedCluster> {
  const { cluster, clock, ids, host = '127.0.0.1', port = 0 } = options;
  const authority = createAuthority({
    commonName: clusterName,
    nowMs: clock.now(),
    validityMs,
  });
  const stopping = new AbortController();
  const server = createTlsServer(authority, host, (request, response) => {
    void handleRequest({ cluster, request, response, stopping: stopping.signal });
  });
  await listen(server, { host, port });
  const token = ids.uuid();
  cluster.addToken(token, admin);
  const pair = authority.issue({
    commonName: admin.name,
    organizations: [masters],
    uses: ['clientAuth'],
  });
  const address = addressOf(server, host);
  const ca = authority.cert;
  return {
    server: address,
    ca,
    admin: pair,
    token,
    kubeconfig: kubeconfigOf({
      name: clusterName,
      server: address,
      ca,
      user: admin.name,
      credentials: pair,
    }),
    issue: (subject) => authority.issue({ ...subject, uses: ['clientAuth'] }),
    stop: () => stop(server, { clock, stopping }),
  };
}

function createTlsServer(
  authority: Authority,
  host: string,
  onRequest: (request: IncomingMessage, response: ServerResponse) => void,
): Server {
  const hosts = [...new Set(['localhost', '127.0.0.1', '::1', host])];
  const { cert, key } = authority.issue({
    commonName: clusterName,
    hosts,
    uses: ['serverAuth'],
  });
  const server = createServer(
    {
      cert,
      key,
      ca: authority.cert,
      requestCert: true,
      // Who comes without a certificate may have a token.
      rejectUnauthorized: false,
      ALPNProtocols: ['http/1.1'],
      keepAliveTimeout: keepAliveMs,
      // A watch lasts as long as it was asked to.
      requestTimeout: 0,
    },
    onRequest,
  );
  // A client that does not trust us, or left in the middle of a handshake, is no news.
  server.on('tlsClientError', () => undefined);
  server.on('clientError', (_, socket) => socket.destroy());
  return server;
}

async function listen(
  server: Server,
  { host, port }: { readonly host: string; readonly port: number },
): Promise<void> {
  try {
    server.listen({ host, port });
    await once(server, 'listening');
  } catch (err) {
    const code = err instanceof Error && 'code' in err ? String(err.code) : 'no code';
    const why =
      code === 'EADDRINUSE'
        ? `Port ${port} of ${host} is taken. End what listens there, or choose another port (0 for any).`
        : `Cannot listen on ${host} port ${port} (${code}). Choose an address of this machine and a port that you may use.`;
    throw new ServeError(why, err);
  }
}

function addressOf(server: Server, host: string): string {
  const address = server.address();
  const port = address === null || typeof address === 'string' ? 0 : address.port;
  const reachable = ['0.0.0.0', '::', ''].includes(host) ? '127.0.0.1' : host;
  return `https://${reachable.includes(':') ? `[${reachable}]` : reachable}:${port}`;
}

async function stop(
  server: Server,
  { clock, stopping }: { readonly clock: Clock; readonly stopping: AbortController },
): Promise<void> {
  if (!server.listening) return;
  const closed = new Promise<void>((resolve) => {
    server.close(() => resolve());
  });
  stopping.abort(new ServeError('The embedded API server is stopping', undefined));
  server.closeIdleConnections();
  const timer = clock.after(stopMsMax, () => server.closeAllConnections());
  await closed;
  timer.cancel();
}
