/**
 * The keep-alive connections to one API server. A connection uses the certificate and the trusted
 * authorities of its time: when those rotate, new requests get new connections, and the old connections
 * end with their requests.
 */
import { Pool } from 'undici';
import type { TlsMaterial } from '../credentials/credentials.ts';

/** Watches and calls together. The client's own limit is far lower. */
const connectionsMax = 256;

/** Dialling and TLS handshake. */
const connectMsMax = 10_000;

/** Below the API server's own limit of 90 s, and below the idle limits of load balancers. */
const idleMsMax = 30_000;

/** Detects a peer that vanished while a watch is idle. */
const keepAliveProbeMs = 30_000;

export class Connections {
  readonly #origin: string;
  readonly #open = new Set<Pool>();
  #current: { readonly tls: TlsMaterial; readonly pool: Pool } | undefined;

  constructor(origin: string) {
    this.#origin = origin;
  }

  poolFor(tls: TlsMaterial): Pool {
    const last = this.#current;
    if (last?.tls === tls) return last.pool;
    if (last !== undefined) void last.pool.close().finally(() => this.#open.delete(last.pool));
    const pool = createPool(this.#origin, tls);
    this.#current = { tls, pool };
    this.#open.add(pool);
    return pool;
  }

  async destroy(): Promise<void> {
    await Promise.all([...this.#open].map((pool) => pool.destroy()));
    this.#open.clear();
  }
}

function createPool(origin: string, tls: TlsMaterial): Pool {
  return new Pool(origin, {
    connections: connectionsMax,
    pipelining: 1,
    allowH2: false,
    keepAliveTimeout: idleMsMax,
    // Calls have their own deadlines, and a watch may be idle.
    headersTimeout: 0,
    bodyTimeout: 0,
    connect: {
      ...tlsOptionsOf(tls),
      timeout: connectMsMax,
      keepAlive: true,
      keepAliveInitialDelay: keepAliveProbeMs,
    },
  });
}

/** For undici, which accepts no option that is undefined. */
export function tlsOptionsOf({ ca, cert, key, serverName, isVerified }: TlsMaterial): {
  readonly rejectUnauthorized: boolean;
} {
  const own = { ca, cert, key, servername: serverName };
  const known = Object.entries(own).filter(([, value]) => value !== undefined);
  // Explicit, because an environment variable could otherwise disable verification.
  return { ...Object.fromEntries(known), rejectUnauthorized: isVerified };
}
