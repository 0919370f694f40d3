/**
 * A watch on the one Lease, so that a standby notices a release at once. The elector also polls, so a
 * watch that fails, is forbidden or goes silent costs only time. It always starts from the current state
 * and keeps no resourceVersion that could expire.
 */
import { type Clock, fieldOf, type Random, sleep, wholeBackoffMs } from '@tandem/runtime';
import type { KubeClient } from '../client/index.ts';
import { splitLines } from '../codec/frames.ts';
import { parseJson } from '../codec/json-value.ts';
import { Silence } from '../silence.ts';
import { type Lease, type LeaseName, readLease } from './lease.ts';
import { leasesOf } from './lease-store.ts';

export interface LeaseWatchOptions {
  readonly client: KubeClient;
  readonly clock: Clock;
  readonly random: Random;
  readonly lease: LeaseName;
  /** A live holder renews all the time, so a stream that is silent for so long is dead. */
  readonly silenceMsMax: number;
  /** The delay after the first failure. It doubles with each further one. */
  readonly retryMs: number;
  readonly onChanged: (lease: Lease) => void;
  readonly onDeleted: () => void;
  readonly onFailed: (err: unknown) => void;
}

/** Watches until the signal aborts, and resolves then. Never rejects. */
export async function watchLease(options: LeaseWatchOptions, signal: AbortSignal): Promise<void> {
  const { clock, random, retryMs } = options;
  for (let failures = 0; !signal.aborted;) {
    const startMs = clock.monotonic();
    const err = await follow(options, signal).catch((reason: unknown) => reason);
    if (signal.aborted) return;
    if (err !== undefined) options.onFailed(err);
    // The server ends every watch after a while. One that lived long enough is reopened at once.
    const hasLived = clock.monotonic() - startMs >= livedMsMin;
    failures = hasLived ? 0 : failures + 1;
    const backoff = { baseMs: retryMs, capMs: retryMsMax };
    const waitMs = failures === 0 ? reopenMs : wholeBackoffMs(backoff, failures);
    await sleep(clock, waitMs * (1 + random.next()), signal).catch(() => undefined);
  }
}

const livedMsMin = 30_000;
const reopenMs = 50;
const retryMsMax = 30_000;

/** A Lease has less than a kilobyte. Annotations of other tools may make it larger. */
const lineBytesMax = 1024 * 1024;

/** One watch, from its opening to its end. */
async function follow(options: LeaseWatchOptions, signal: AbortSignal): Promise<void> {
  const { client, clock, random, lease, silenceMsMax } = options;
  using silence = new Silence(clock, signal, silenceMsMax);
  const stream = await client.open({
    resource: leasesOf(lease),
    query: {
      watch: '1',
      fieldSelector: `metadata.name=${lease.name}`,
      timeoutSeconds: String(Math.round(300 * (1 + random.next()))),
    },
    accept: 'application/json',
    limitMs: silenceMsMax,
    signal: silence.signal,
  });
  const lines = splitLines(lineBytesMax);
  const take = (line: Uint8Array): void => {
    silence.heard(clock.monotonic());
    tell(readEvent(parseJson(line)), options);
  };
  for await (const chunk of stream.body) lines.push(chunk, take);
}

function tell({ type, lease }: WatchEvent, { onChanged, onDeleted }: LeaseWatchOptions): void {
  if (type === 'DELETED') onDeleted();
  else onChanged(lease);
}

interface WatchEvent {
  readonly type: 'ADDED' | 'MODIFIED' | 'DELETED';
  readonly lease: Lease;
}

/** Anything but a change of the Lease, such as an ERROR of the server, ends the watch. */
function readEvent(value: unknown): WatchEvent {
  const lease = readLease(fieldOf(value, 'object'));
  const type = fieldOf(value, 'type');
  const isNews = type === 'ADDED' || type === 'MODIFIED' || type === 'DELETED';
  if (lease !== undefined && isNews) return { type, lease };
  throw new Error('The API server ended the watch on the Lease', { cause: value });
}
