/**
 * Logs which manager holds the Lease when the program starts, and since when. The election logs only the name of the
 * holder. A manager without an election would not notice another one that leads and writes to the same nodes.
 */
import { hasStatus, type KubeClient } from '@tandem/kube/client';
import { parseJson } from '@tandem/kube/codec';
import { type Lease, type LeaseName, leasesOf, readLease } from '@tandem/kube/election';
import { type Clock, fieldOf, type Logger } from '@tandem/runtime';
import type { CheckedSettings } from './permissions.ts';

interface LeaseHolderOptions {
  readonly client: KubeClient;
  readonly clock: Clock;
  readonly logger: Logger;
  readonly signal: AbortSignal;
  readonly settings: Pick<CheckedSettings, 'election' | 'dryRun'>;
  /** The identity of this manager, which may have won in the meantime. */
  readonly identity: string;
}

interface ReadLease extends Lease {
  /** When the Lease was read, by the clock of the API server if that is known. */
  readonly atMs: number;
}

const limitMs = 10_000;

/** Never rejects: the election reports a Lease that cannot be read. */
export async function tellLeaseHolder(options: LeaseHolderOptions): Promise<void> {
  const { settings, logger, identity } = options;
  // A dry run is meant to run beside another manager.
  if (settings.dryRun) return;
  const { lease: name, isEnabled } = settings.election;
  const lease = await read(options, name);
  const holder = lease?.holderIdentity ?? '';
  if (lease === undefined || holder === '' || holder === identity) return;
  const [acquireTime, renewTime] = ['acquireTime', 'renewTime'].map((time) =>
    fieldOf(lease.object['spec'], time),
  );
  const facts = { lease: `${name.namespace}/${name.name}`, acquireTime, renewTime };
  // By wall clocks, which is enough for a log line. The election trusts no wall clock.
  if (lease.atMs > Date.parse(String(renewTime)) + lease.leaseDurationMs) {
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

async function read(
  { client, clock, signal, logger }: LeaseHolderOptions,
  { namespace, name }: LeaseName,
): Promise<ReadLease | undefined> {
  const resource = { ...leasesOf({ namespace, name }), name };
  try {
    const { body, headers } = await client.call({ verb: 'get', resource, limitMs, signal });
    const lease = readLease(parseJson(body));
    const serverMs = Date.parse(headers['date'] ?? '');
    return lease && { ...lease, atMs: Number.isNaN(serverMs) ? clock.now() : serverMs };
  } catch (err) {
    if (!hasStatus(err, 404)) logger.debug({ err }, 'Could not read the holder of the Lease');
    return undefined;
  }
}
