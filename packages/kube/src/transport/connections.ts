/**
 * The keep-alive connections to one API server. They belong to a certificate and to the authorities
 * trusted when they were opened: when those rotate, new requests get new connections and the old
 * ones end with the requests that run on them.
 */
import { createSecureContext, type SecureContext } from 'node:tls';
import Pool from 'undici/lib/dispatcher/pool.js';
import type { TlsMaterial } from '../credentials/credentials.ts';

export interface Connections {
  poolFor(tls: TlsMaterial): Pool;
  destroy(): Promise<void>;
}

/** Watches and calls together; the client's own bound lies far below. */
const connectionsMax = 256;

/** Dialling and TLS handshake; beyond it the machine is not there. */
const connectMsMax = 10_000;

/** Below the API server's own limit of 90 s, and below the idle limits of load balancers. */
const idleMsMax = 30_000;

/** Finds out about a peer that vanished while a watch is idle. */
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
  const secureContext = origin.startsWith('https:') ? contextOf(tls) : undefined;
  const own = { ca, cert, key, servername: serverName, secureContext };
  const known = Object.entries(own).filter(([, value]) => value !== undefined);
  return new Pool(origin, {
    connections: connectionsMax,
    pipelining: 1,
    allowH2: false,
    keepAliveTimeout: idleMsMax,
    // Calls have deadlines of their own, and an idle watch is none of undici's business.
    headersTimeout: 0,
    bodyTimeout: 0,
    connect: {
      ...Object.fromEntries(known),
      // Said aloud, because otherwise an environment variable could switch verification off.
      rejectUnauthorized: isVerified,
      timeout: connectMsMax,
      keepAlive: true,
      keepAliveInitialDelay: keepAliveProbeMs,
    },
  });
}

/** Read once for all connections. Where it cannot be, each connection fails by itself and says why. */
function contextOf({ ca, cert, key }: TlsMaterial): SecureContext | undefined {
  try {
    return createSecureContext({ ca, cert, key });
  } catch {
    return undefined;
  }
}
