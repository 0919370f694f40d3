/**
 * The keep-alive connections to one API server. A connection uses the certificate and the trusted
 * authorities of its time: when those rotate, new requests get new connections, and the old connections
 * end with their requests.
 */
import { Pool } from 'undici';
import type { TlsMaterial } from '../credentials/credentials.ts';

export interface Connections {
  poolFor(tls: TlsMaterial): Pool;
  destroy(): Promise<void>;
}

/** Watches and calls together. The client's own limit is far lower. */
const connectionsMax = 256;

/** Dialling and TLS handshake. */
const connectMsMax = 10_000;

/** Below the API server's own limit of 90 s, and below the idle limits of load balancers. */
const idleMsMax = 30_000;

/** Detects a peer that vanished while a watch is idle. */
const keepAliveProbeMs = 30_000;

export function createConnections(origin: string): Connections {
  const open = new Set<Pool>();
  let current: { readonly tls: TlsMaterial; readonly pool: Pool } | undefined;

  const retire = (pool: Pool): void => {
    void pool.close().finally(() => open.delete(pool));
  };

  return {
    poolFor(tls) {
      if (current?.tls === tls) return current.pool;
      if (current !== undefined) retire(current.pool);
      current = { tls, pool: createPool(origin, tls) };
      open.add(current.pool);
      return current.pool;
    },
    async destroy() {
      await Promise.all([...open].map((pool) => pool.destroy()));
      open.clear();
    },
  };
}

function createPool(origin: string, tls: TlsMaterial): Pool {
  const { ca, cert, key, serverName, isVerified } = tls;
  const own = { ca, cert, key, servername: serverName };
  const known = Object.entries(own).filter(([, value]) => value !== undefined);
  return new Pool(origin, {
    connections: connectionsMax,
    pipelining: 1,
    allowH2: false,
    keepAliveTimeout: idleMsMax,
    // Calls have their own deadlines, and a watch may be idle.
    headersTimeout: 0,
    bodyTimeout: 0,
    connect: {
      ...Object.fromEntries(known),
      // Explicit, because an environment variable could otherwise disable verification.
      rejectUnauthorized: isVerified,
      timeout: connectMsMax,
      keepAlive: true,
      keepAliveInitialDelay: keepAliveProbeMs,
    },
  });
}
