/**
 * Serves the embedded cluster over HTTPS for kubectl, on loopback and with a certificate authority of its own. The
 * server verifies clients by certificate and keeps connections alive. When it stops, it leaves nothing behind.
 */
import { type Authority, createAuthority, type KeyPair } from '@tandem/serving/certificates';
import type { Clock } from '@tandem/runtime';
import { admin, masters } from '../access/index.ts';
import { kubeconfigOf } from '../kubeconfig/index.ts';
import type { EmbeddedCluster } from '../model/index.ts';
import { handleRequest, type RequestFailure } from './handle-request.ts';
import { Listener, type ListenerOptions } from './listener.ts';

interface ServeOptions {
  readonly cluster: EmbeddedCluster;
  readonly clock: Clock;
  /** 0 for any free port. */
  readonly port?: number;
  /** Called for requests that failed because of a bug of the server. Their clients get a 500. */
  readonly onFailure?: (failure: RequestFailure) => void;
}

export interface ServedCluster {
  /** `https://127.0.0.1:6443`. */
  readonly server: string;
  /** The certificate authority that clients have to trust, PEM. */
  readonly ca: string;
  /** The administrator's certificate. */
  readonly admin: KeyPair;
  /** The text of the administrator's kubeconfig. */
  readonly kubeconfig: string;
  /** Ends watches as a timeout would, and closes all connections. */
  stop(): Promise<void>;
}

const clusterName = 'tandem-devcluster';
/** Longer than any run of `npm start`. */
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
  // A client without a certificate is anonymous, and refusals name the right that it lacks.
  return { cert, key, ca: authority.cert, requestCert: true, rejectUnauthorized: false };
}
