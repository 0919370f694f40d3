/**
 * What the health pages tell of. Live is what a restart would mend: a loop that hangs, a cache that
 * stands still although the server answers, a leader far beyond its Lease. Ready is what others wait
 * for: a standby with a full cache is ready. That the API server is away is told by readiness alone: a
 * restart brings no server back.
 */
import type { HealthCheck, HealthOutcome } from '@tandem/serving';
import type { AppStatus } from '../app/index.ts';
import type { ApiServerConnection } from './api-server-connection.ts';
import type { EventLoopWatch } from './event-loop.ts';

export interface HealthChecks {
  readonly livez: readonly HealthCheck[];
  readonly readyz: readonly HealthCheck[];
  readonly healthz: readonly HealthCheck[];
}

/** Twice the silence after which an informer lists again by itself. */
const progressMsMax = 300_000;

export function healthChecks(parts: {
  readonly status: () => AppStatus;
  readonly apiServer: Pick<ApiServerConnection, 'check'>;
  readonly eventLoop: Pick<EventLoopWatch, 'check'>;
  /** What else its work depends on and a restart would not mend. */
  readonly needs?: readonly HealthCheck[];
}): HealthChecks {
  const { status, apiServer, eventLoop, needs = [] } = parts;
  const loop = { name: 'event-loop', check: () => eventLoop.check() };
  const election = { name: 'leaderElection', check: () => electionHealth(status()) };
  const server = { name: 'api-server', check: () => apiServer.check() };
  const synced = { name: 'nodes-synced', check: () => syncHealth(status()) };
  const progress = {
    name: 'nodes-informer',
    // While the server is away nothing can be heard of it.
    check: () => (apiServer.check().ok ? progressHealth(status()) : { ok: true as const }),
  };
  const live = [loop, progress, election];
  return {
    livez: live,
    readyz: [...live, server, synced, ...needs],
    healthz: [...live, server, ...needs],
  };
}

function electionHealth({ election }: AppStatus): HealthOutcome {
  if (election === undefined || election.isHealthy) return { ok: true };
  const seconds = Math.round((election.leaseAgeMs ?? 0) / 1_000);
  return { ok: false, reason: `the Lease was last renewed ${seconds} s ago` };
}

function syncHealth({ nodes }: AppStatus): HealthOutcome {
  return nodes.isSynced
    ? { ok: true }
    : { ok: false, reason: 'the list of nodes has not been read yet' };
}

function progressHealth({ nodes }: AppStatus): HealthOutcome {
  if (nodes.sinceProgressMs <= progressMsMax) return { ok: true };
  const seconds = Math.round(nodes.sinceProgressMs / 1_000);
  return { ok: false, reason: `the watch of nodes made no progress for ${seconds} s` };
}
