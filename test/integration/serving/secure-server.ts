/**
 * The secure port in this process, on a real loopback socket, with a captured log and pages with a secret, and a client
 * that can send malformed requests.
 */
import { once } from 'node:events';
import { connect, type TLSSocket } from 'node:tls';
import type { KubeClient } from '@tandem/kube/client';
import {
  createServing,
  type HealthCheck,
  type Pages,
  type ServingOptions,
  type ServingSettings,
} from '@tandem/serving';
import {
  type Clock,
  createLogger,
  createMetrics,
  systemClock,
  systemRandom,
} from '@tandem/runtime';
import { createAuthority, exchange } from '../../control-plane/index.ts';
import { freePorts } from '../../control-plane/ports.ts';

/** The authority that signs the server’s certificate, unless the server makes its own. */
const serverAuthority: ReturnType<typeof createAuthority> = createAuthority(
  'serving tests',
  systemClock.now(),
);

interface SecureServerOptions {
  readonly settings?: Partial<ServingSettings>;
  readonly clients?: KubeClient | undefined;
  readonly checks?: readonly HealthCheck[];
  readonly files?: ServingOptions['files'];
  readonly clock?: Clock;
  /** A free port by default. */
  readonly port?: number;
}

export interface SecureServer extends AsyncDisposable {
  readonly port: number;
  /** Every line of the log so far. */
  log(): string;
  metrics(): Promise<string>;
  ask(request?: PortRequest): Promise<PortResponse>;
  /** A TLS connection after its handshake. */
  dial(tls?: object): Promise<TLSSocket>;
}

export interface PortRequest {
  readonly method?: string;
  /** Sent as it is. */
  readonly path?: string;
  /** Names and values in turn, or by name. */
  readonly headers?: readonly string[] | Readonly<Record<string, string>>;
  readonly token?: string;
  readonly body?: string;
  readonly identity?: Pem;
  readonly host?: string;
  readonly tls?: object;
}

/** A certificate and its key. */
export interface Pem {
  readonly cert: string;
  readonly key: string;
}

interface PortResponse {
  readonly status: number;
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
  readonly text: string;
}

const ofThisTest = { name: 'this test', remedy: 'Mend the test.' };

export async function startSecureServer(options: SecureServerOptions = {}): Promise<SecureServer> {
  const clock = options.clock ?? systemClock;
  const lines: string[] = [];
  const destination = { write: (line: string) => void lines.push(line) };
  const metrics = createMetrics();
  const [free = 0] = await freePorts(1);
  const port = options.port ?? free;
  const serving = createServing({
    settings: { ...settingsOf(port), ...options.settings, port },
    clock,
    random: systemRandom,
    logger: createLogger({ clock, level: 'trace', destination }),
    metrics,
    authentication: options.clients && { client: options.clients, origin: ofThisTest },
    authorizationClient: options.clients,
    pages: pagesOf(options.checks ?? [], () => metrics.render()),
    hostname: 'manager.example',
    files: options.files ?? memoryFiles(new Map(Object.entries(serverFiles()))),
  });
  await serving.start();
  return {
    port,
    log: () => lines.join(''),
    metrics: () => metrics.render(),
    ask: (request = {}) => ask(port, request),
    dial: (tls = {}) => dial(port, tls),
    [Symbol.asyncDispose]: () => serving.stop(),
  };
}

const openPaths: readonly string[] = ['/healthz', '/livez', '/readyz'];

function settingsOf(port: number): ServingSettings {
  return {
    bindAddress: '127.0.0.1',
    port,
    permitPortSharing: false,
    certificate: { kind: 'files', certFile: '/tls/tls.crt', keyFile: '/tls/tls.key' },
    sniCertificates: [],
    tls: { cipherSuites: [], curvePreferences: [], minVersion: 'VersionTLS12' },
    authentication: authentication(),
    authorization: {
      kubeconfig: undefined,
      alwaysAllowPaths: openPaths,
      allowTtlMs: 10_000,
      denyTtlMs: 10_000,
    },
    profiling: true,
  };
}

export function authentication(
  changes: Partial<ServingSettings['authentication']> = {},
): ServingSettings['authentication'] {
  return {
    kubeconfig: undefined,
    skipLookup: false,
    tolerateLookupFailure: false,
    tokenCacheTtlMs: 10_000,
    clientCaFile: undefined,
    requestHeader: {
      clientCaFile: undefined,
      allowedNames: [],
      usernameHeaders: ['X-Remote-User'],
      groupHeaders: ['X-Remote-Group'],
      uidHeaders: ['X-Remote-Uid'],
      extraHeaderPrefixes: ['X-Remote-Extra-'],
    },
    ...changes,
  };
}

/** A certificate that the clients trust, and its key. */
export function serverPair(hosts: readonly string[] = ['127.0.0.1', '::1', 'localhost']): Pem {
  return serverAuthority.issue({ commonName: 'server', hosts, uses: ['serverAuth'] });
}

function serverFiles(): Record<string, string> {
  const { cert, key } = serverPair();
  return { '/tls/tls.crt': cert, '/tls/tls.key': key };
}

export function memoryFiles(texts: Map<string, string>): NonNullable<ServingOptions['files']> {
  return {
    read(path) {
      const text = texts.get(path);
      if (text !== undefined) return Promise.resolve(text);
      return Promise.reject(Object.assign(new Error('no such file'), { code: 'ENOENT' }));
    },
    write(path, text) {
      texts.set(path, text);
      return Promise.resolve();
    },
  };
}

/** Every protected page contains this, so that a test can see whether a page leaked. */
export const secretOfPages = 'only-for-those-with-rights';

function pagesOf(checks: readonly HealthCheck[], metrics: () => Promise<string>): Pages {
  return {
    livez: checks,
    readyz: checks,
    healthz: checks,
    metrics: async () => `${await metrics()}# ${secretOfPages}\n`,
    lists: new Map(),
    configz: () => ({ 'cloudcontrollermanager.config.k8s.io': { secretOfPages } }),
    flagz: () => new Map([['v', secretOfPages]]),
    statusz: () => ({
      startedMs: systemClock.now(),
      uptimeMs: 61_000,
      binaryVersion: secretOfPages,
      runtimeVersion: 'v24',
      leader: 'a_1',
      nodes: new Map(),
      sections: [],
    }),
  };
}

async function ask(port: number, request: PortRequest): Promise<PortResponse> {
  const { method = 'GET', path = '/healthz', token, body, identity, host = '127.0.0.1' } = request;
  const given = request.headers ?? {};
  const headers = [
    'Host',
    'manager',
    ...(token === undefined ? [] : ['Authorization', `Bearer ${token}`]),
    ...(body === undefined ? [] : ['Content-Length', String(Buffer.byteLength(body))]),
    ...(Array.isArray(given) ? given : Object.entries(given).flat()),
  ];
  const target = {
    ca: serverAuthority.cert,
    ...request.tls,
    ...identity,
    host,
    port,
    method,
    path,
  };
  const response = await exchange({ ...target, headers }, { body, limitMs: 20_000 });
  return { ...response, text: response.body.toString('utf8') };
}

async function dial(port: number, tls: object): Promise<TLSSocket> {
  const socket = connect({ host: '127.0.0.1', port, ca: serverAuthority.cert, ...tls });
  socket.on('error', () => undefined);
  await once(socket, 'secureConnect');
  return socket;
}

/** Everything that a connection receives until it is closed. */
export async function textUntilClosed(socket: NodeJS.ReadableStream): Promise<string> {
  const chunks: Buffer[] = [];
  socket.on('data', (chunk: Buffer) => chunks.push(chunk));
  await once(socket, 'close');
  return Buffer.concat(chunks).toString('latin1');
}
