/**
 * The checks of the health pages. Liveness fails for what a restart can repair: an event loop that hangs, a cache that
 * makes no progress although the API server answers, a leader far beyond its Lease. A standby with a complete cache is
 * ready. If the API server is away, only readiness fails, because a restart would not help.
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

/** Twice the silence after which an informer lists again. */
const progressMsMax = 300_000;

export function healthChecks(parts: {
  readonly status: () => AppStatus;
  readonly apiServer: Pick<ApiServerConnection, 'check'>;
  readonly eventLoop: Pick<EventLoopWatch, 'check'>;
  /** Checks of further dependencies that a restart cannot repair. */
  readonly needs?: readonly HealthCheck[];
}): HealthChecks {
  const { status, apiServer, eventLoop, needs = [] } = parts;
  const loop = { name: 'event-loop', check: () => eventLoop.check() };
  const election = { name: 'leaderElection', check: () => electionHealth(status()) };
  const server = { name: 'api-server', check: () => apiServer.check() };
  const synced = { name: 'nodes-synced', check: () => syncHealth(status()) };
  const progress = {
    name: 'nodes-informer',
    // While the API server is away, the watch cannot make progress.
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
