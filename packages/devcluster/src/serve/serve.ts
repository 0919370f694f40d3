/**
 * The embedded cluster over HTTPS, on an address of this machine and with an authority of its own, for
 * kubectl and for programs that are to meet sockets. It verifies clients by certificate or token, keeps
 * connections alive, and leaves nothing behind when it is stopped.
 */
import {
  type Authority,
  createAuthority,
  type KeyPair,
  type Subject,
} from '@tandem/serving/certificates';
import type { Clock, Ids } from '@tandem/runtime';
import { admin, masters } from '../access/index.ts';
import { kubeconfigOf } from '../kubeconfig/index.ts';
import type { EmbeddedCluster } from '../model/index.ts';
import { handleRequest, type RequestFailure } from './handle-request.ts';
import { Listener, type ListenerOptions } from './listener.ts';
import { publishAuthority } from './publish-authority.ts';

export interface ServeOptions {
  readonly cluster: EmbeddedCluster;
  readonly clock: Clock;
  /** The administrator's token is drawn from here. */
  readonly ids: Ids;
  /** Default: loopback. */
  readonly host?: string;
  /** 0 for any that is free. */
  readonly port?: number;
  /** Hears of requests that failed by a mistake of the server's own; the client gets a 500. */
  readonly onFailure?: (failure: RequestFailure) => void;
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
  /** Issues a certificate for another client. */
  issue(subject: Omit<Subject, 'hosts' | 'uses'>): KeyPair;
  /** Ends watches, lets answers under way go out, and closes everything. What is stored stays. */
  stop(): Promise<void>;
  /** After a stop: listens on the same port again, for the same clients. */
  start(): Promise<void>;
  /** Answers nothing from now on; connections are taken and kept. */
  pause(): void;
  /** Answers again, what has come meanwhile included. */
  resume(): void;
}

const clusterName = 'tandem-devcluster';
/** Longer than any `npm start` runs. */
const validityMs = 365 * 24 * 3_600_000;

export async function serve(options: ServeOptions): Promise<ServedCluster> {
  const { cluster, clock, ids, host = '127.0.0.1', port = 0, onFailure } = options;
  const authority = createAuthority({
    commonName: clusterName,
    nowMs: clock.now(),
    validityMs,
  });
  const listener = new Listener({
    clock,
    host,
    port,
    tls: tlsOf(authority, host),
    onRequest: (request, response, standing) =>
      void handleRequest({ cluster, request, response, onFailure, ...standing }),
  });
  await listener.start();
  const token = ids.uuid();
  cluster.addToken(token, admin);
  publishAuthority(cluster, authority.cert);
  return {
    ...administratorOf(authority, listener.address),
    token,
    issue: (subject) => authority.issue({ ...subject, uses: ['clientAuth'] }),
    stop: () => listener.stop(),
    start: () => listener.start(),
    pause: () => listener.pause(),
    resume: () => listener.resume(),
  };
}

function administratorOf(
  authority: Authority,
  server: string,
): Pick<ServedCluster, 'server' | 'ca' | 'admin' | 'kubeconfig'> {
  const ca = authority.cert;
  const pair = authority.issue({
    commonName: admin.name,
    organizations: [masters],
    uses: ['clientAuth'],
  });
  const kubeconfig = kubeconfigOf({
    name: clusterName,
    server,
    ca,
    user: admin.name,
    credentials: pair,
  });
  return { server, ca, admin: pair, kubeconfig };
}

function tlsOf(authority: Authority, host: string): ListenerOptions['tls'] {
  const hosts = [...new Set(['localhost', '127.0.0.1', '::1', host])];
  const { cert, key } = authority.issue({
    commonName: clusterName,
    hosts,
    uses: ['serverAuth'],
  });
  // Who comes without a certificate may have a token.
  return { cert, key, ca: authority.cert, requestCert: true, rejectUnauthorized: false };
}
