/**
 * Logs who holds the Lease when the program starts, and since when. The election logs only the name of the holder. A
 * manager without an election would not notice another one that leads beside it and writes to the same nodes.
 */
import { ApiError, type KubeClient } from '@tandem/kube/client';
import type { LeaseName } from '@tandem/kube/election';
import { type Clock, fieldOf, type Logger } from '@tandem/runtime';
import type { CheckedSettings } from './permissions.ts';

interface LeaseHolderOptions {
  readonly client: KubeClient;
  readonly clock: Clock;
  readonly logger: Logger;
  readonly signal: AbortSignal;
  readonly settings: Pick<CheckedSettings, 'election' | 'dryRun'>;
  /** Of this manager, which may have won in the meantime. */
  readonly identity: string;
}

interface Holding {
  readonly holder: string;
  readonly acquireTime: string | undefined;
  readonly renewTime: string | undefined;
  readonly leaseDurationSeconds: number;
  /** When it was read, by the clock of the API server where that is known. */
  readonly readAtMs: number;
}

const limitMs = 10_000;

/** Never rejects: the election reports a Lease that cannot be read. */
export async function tellLeaseHolder(options: LeaseHolderOptions): Promise<void> {
  const { settings, logger, identity } = options;
  // A dry run is made to run beside another manager.
  if (settings.dryRun) return;
  const { lease, isEnabled } = settings.election;
  const holding = await readHolding(options, lease);
  if (holding === undefined || holding.holder === identity) return;
  const { holder, acquireTime, renewTime } = holding;
  const facts = { lease: `${lease.namespace}/${lease.name}`, acquireTime, renewTime };
  if (hasExpired(holding)) {
    const expired = 'Found an expired Lease that was not released';
    if (isEnabled) logger.info({ ...facts, lastHolder: holder, consequence }, expired);
  } else if (isEnabled) {
    logger.info({ ...facts, holder }, 'Found another manager holding the Lease');
  } else {
    const beside = 'Found another active manager while leader election is off';
    logger.warn({ ...facts, holder, fix }, beside);
  }
}

const consequence = 'This manager takes it over if it is not renewed for its duration';
const fix = 'Stop one of the two managers, or leave --leader-elect on';

async function readHolding(
  { client, clock, signal, logger }: LeaseHolderOptions,
  lease: LeaseName,
): Promise<Holding | undefined> {
  const resource = { group: 'coordination.k8s.io', version: 'v1', resource: 'leases', ...lease };
  try {
    const { body, headers } = await client.call({ verb: 'get', resource, limitMs, signal });
    const serverMs = Date.parse(headers['date'] ?? '');
    const readAtMs = Number.isNaN(serverMs) ? clock.now() : serverMs;
    return holdingIn(JSON.parse(new TextDecoder().decode(body)), readAtMs);
  } catch (err) {
    const isAbsent = err instanceof ApiError && err.status.code === 404;
    if (!isAbsent) logger.debug({ err }, 'Could not read the holder of the Lease');
    return undefined;
  }
}

/** Undefined where the Lease is free: a holder releases it with an empty name. */
function holdingIn(lease: unknown, readAtMs: number): Holding | undefined {
  const spec = fieldOf(lease, 'spec');
  const holder = textAt(spec, 'holderIdentity') ?? '';
  if (holder === '') return undefined;
  const seconds = fieldOf(spec, 'leaseDurationSeconds');
  return {
    holder,
    acquireTime: textAt(spec, 'acquireTime'),
    renewTime: textAt(spec, 'renewTime'),
    leaseDurationSeconds: typeof seconds === 'number' ? seconds : 0,
    readAtMs,
  };
}

/** By wall clocks, which is enough for a log line. The election trusts no wall clock. */
function hasExpired({ renewTime, leaseDurationSeconds, readAtMs }: Holding): boolean {
  return readAtMs > Date.parse(renewTime ?? '') + leaseDurationSeconds * 1_000;
}

function textAt(value: unknown, name: string): string | undefined {
  const text = fieldOf(value, name);
  return typeof text === 'string' ? text : undefined;
}
