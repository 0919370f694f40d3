/**
 * The embedded cluster over HTTPS, on an address of this machine and with an authority of its own, for
 * kubectl. It verifies clients by certificate, keeps connections alive, and leaves nothing behind when
 * it is stopped.
 */
import { type Authority, createAuthority, type KeyPair } from '@tandem/serving/certificates';
import type { Clock } from '@tandem/runtime';
import { admin, masters } from '../access/index.ts';
import { kubeconfigOf } from '../kubeconfig/index.ts';
import type { EmbeddedCluster } from '../model/index.ts';
import { handleRequest, type RequestFailure } from './handle-request.ts';
import { Listener, type ListenerOptions } from './listener.ts';

export interface ServeOptions {
  readonly cluster: EmbeddedCluster;
  readonly clock: Clock;
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
  /** The text of the administrator's kubeconfig. */
  readonly kubeconfig: string;
  /** Ends watches as they end by themselves, and closes everything. */
  stop(): Promise<void>;
}

const clusterName = 'tandem-devcluster';
/** Longer than any `npm start` runs. */
const validityMs = 365 * 24 * 3_600_000;

export async function serve(options: ServeOptions): Promise<ServedCluster> {
  const { cluster, clock, port = 0, onFailure } = options;
  const authority = createAuthority({
    commonName: clusterName,
    nowMs: clock.now(),
    validityMs,
  });
  const listener = new Listener({
    clock,
    port,
    tls: tlsOf(authority),
    onRequest: (request, response, stopping) =>
      void handleRequest({ cluster, request, response, stopping, onFailure }),
  });
  await listener.start();
  return { ...administratorOf(authority, listener.address), stop: () => listener.stop() };
}

function administratorOf(authority: Authority, server: string): Omit<ServedCluster, 'stop'> {
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

function tlsOf(authority: Authority): ListenerOptions['tls'] {
  const { cert, key } = authority.issue({
    commonName: clusterName,
    hosts: ['localhost', '127.0.0.1', '::1'],
    uses: ['serverAuth'],
  });
  // A client without a certificate is anonymous, and told what it may not do.
  return { cert, key, ca: authority.cert, requestCert: true, rejectUnauthorized: false };
}
