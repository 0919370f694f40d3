/**
 * One elector's claim on the Lease: what it saw, what it wrote, and the three moves of client-go's
 * protocol: acquire, renew, release. Each move is one try; the caller decides when to make it. The
 * outcome of a write without a good answer is unknown: the next step reads the Lease.
 */
import type { Clock, Instant } from '@tandem/runtime';
import { isOlder } from '../codec/object-reader.ts';
import type { LeaseStore, WriteOutcome } from './lease-store.ts';
import {
  acquiredLease,
  createdLease,
  type Lease,
  type LeaseName,
  releasedLease,
  renewedLease,
  type Signature,
} from './lease.ts';

export type Attempt =
  /** Ours, confirmed by a write that was sent then. */
  | { readonly kind: 'held'; readonly sentAt: Instant }
  | { readonly kind: 'taken' }
  /** Another process wrote in between; the next read shows which. */
  | { readonly kind: 'contested' }
  | { readonly kind: 'failed'; readonly err: unknown };

/**
 * How the Lease became free: it had no holder, its holder released it with no write in flight, or its
 * holder fell silent, so that the holder's last write may still be stored.
 */
export type Predecessor = 'none' | 'released' | 'expired';

export interface ClaimOptions {
  readonly store: LeaseStore;
  readonly clock: Clock;
  readonly lease: LeaseName;
  readonly identity: string;
  readonly leaseDurationMs: number;
  /** Called when a renewal needs more than one write. */
  readonly onSlowPath: () => void;
}

export class LeaseClaim {
  readonly #options: ClaimOptions;
  #observation: Observation | undefined;
  /** The Lease with us as its holder, if the last answer of the server confirmed that. */
  #ours: Lease | undefined;
  #mayHold = false;
  #predecessor: Predecessor = 'none';

  constructor(options: ClaimOptions) {
    this.#options = options;
  }

  /** The last observed holder of the Lease; `undefined` if there was none. */
  get leader(): string | undefined {
    const holder = this.#observation?.lease.holderIdentity;
    return holder === '' ? undefined : holder;
  }

  /** The time since the record last changed. */
  get ageMs(): number | undefined {
    if (this.#observation === undefined) return undefined;
    return this.#options.clock.monotonic() - this.#observation.sinceMs;
  }

  /** How long the record of another holder is still valid. */
  get othersRemainingMs(): number {
    if (this.#observation === undefined || this.leader === this.#options.identity) return 0;
    return remainingMs(this.#observation, this.#options.clock.monotonic());
  }

  /** How the Lease became free before it was last acquired. */
  get predecessor(): Predecessor {
    return this.#predecessor;
  }

  /** Whether the stored Lease may name us, as far as we know. */
  get mayHold(): boolean {
    return this.#mayHold;
  }

  /** Takes in a Lease that the watch reports, unless it is older than the last one read. */
  notice(lease: Lease): void {
    const known = this.#observation;
    if (known === undefined || isLater(lease, known)) this.#see(lease);
  }

  /** Takes the Lease if it has no holder or its record has expired. */
  async acquire(signal: AbortSignal): Promise<Attempt> {
    const read = await this.#options.store.read(signal);
    if (read.kind === 'failed') return read;
    if (read.kind === 'found') this.#see(read.lease);
    // A holder may write although its Lease was deleted, so the last observation still counts.
    if (this.othersRemainingMs > 0) return { kind: 'taken' };
    if (read.kind === 'absent') {
      this.#predecessor = this.leader === undefined ? 'none' : 'expired';
      return this.#create(signal);
    }
    const { lease } = read;
    // Ours already: an earlier write of ours was stored without an answer, or we lost a term. The
    // predecessor that we noted with that write still counts.
    const isOurs = lease.holderIdentity === this.#options.identity;
    if (!isOurs) this.#predecessor = lease.holderIdentity === '' ? 'released' : 'expired';
    const body = (isOurs ? renewedLease : acquiredLease)(lease, this.#signature());
    return this.#settle(await this.#update(body, signal));
  }

  /** Called when a term begins. If it is lost, this process is the predecessor of the next term. */
  beginTerm(): void {
    this.#predecessor = 'expired';
  }

  /** Renews the Lease with one write, or reads it first if that write got no good answer. */
  async renew(signal: AbortSignal): Promise<Attempt> {
    if (this.#ours !== undefined) {
      const attempt = this.#settle(
        await this.#update(renewedLease(this.#ours, this.#signature()), signal),
      );
      if (attempt.kind === 'held' || signal.aborted) return attempt;
    }
    this.#options.onSlowPath();
    const read = await this.#options.store.read(signal);
    if (read.kind === 'failed') return read;
    if (read.kind === 'absent') return this.#create(signal);
    this.#see(read.lease);
    if (read.lease.holderIdentity !== this.#options.identity) return { kind: 'taken' };
    return this.#settle(await this.#update(renewedLease(read.lease, this.#signature()), signal));
  }

  /** Releases the Lease if it may be ours. Returns whether it is released now. */
  async release(signal: AbortSignal): Promise<boolean> {
    if (!this.#mayHold) return true;
    if (this.#ours === undefined) {
      const read = await this.#options.store.read(signal);
      if (read.kind === 'failed') return false;
      if (read.kind === 'absent') return true;
      this.#see(read.lease);
      if (read.lease.holderIdentity !== this.#options.identity) return true;
      this.#ours = read.lease;
    }
    const body = releasedLease(this.#ours, this.#options.clock.now());
    const outcome = await this.#update(body, signal);
    if (outcome.kind !== 'written') return false;
    this.#see(outcome.lease);
    return true;
  }

  async #create(signal: AbortSignal): Promise<Attempt> {
    const body = createdLease(this.#options.lease, this.#signature());
    this.#mayHold = true;
    return this.#settle(await this.#options.store.create(body, signal));
  }

  /** Whatever the outcome, the copy that the body was made from is outdated. */
  #update(body: unknown, signal: AbortSignal): Promise<WriteOutcome> {
    this.#ours = undefined;
    this.#mayHold = true;
    return this.#options.store.update(body, signal);
  }

  #settle(outcome: WriteOutcome): Attempt {
    switch (outcome.kind) {
      case 'written':
        this.#see(outcome.lease);
        this.#ours = outcome.lease;
        return { kind: 'held', sentAt: outcome.sentAt };
      case 'conflict':
        return { kind: 'contested' };
      case 'failed':
        return outcome;
      default:
        return outcome satisfies never;
    }
  }

  #see(lease: Lease): void {
    this.#observation = observe(this.#observation, lease, this.#options.clock.monotonic());
    if (lease.holderIdentity !== this.#options.identity) this.#mayHold = false;
  }

  #signature(): Signature {
    const { identity, leaseDurationMs, clock } = this.#options;
    return { identity, leaseDurationMs, nowMs: clock.now() };
  }
}

/**
 * The last observed Lease and since when its record is unchanged. A record is valid for its own duration
 * from the moment it was *seen* to change, on the observer's monotonic clock. No clock of another machine
 * is trusted, and `renewTime` is never compared.
 */
interface Observation {
  readonly lease: Lease;
  /** When the record was first seen in this form, on the monotonic clock. */
  readonly sinceMs: number;
}

/** Takes in a Lease. Only a change of its record restarts the validity. */
function observe(previous: Observation | undefined, lease: Lease, atMs: number): Observation {
  const isSame = previous?.lease.recordText === lease.recordText;
  return { lease, sinceMs: isSame ? previous.sinceMs : atMs };
}

/** How long the record is still valid; 0 if it has no holder or has expired. */
function remainingMs({ lease, sinceMs }: Observation, atMs: number): number {
  if (lease.holderIdentity === '') return 0;
  return Math.max(sinceMs + lease.leaseDurationMs - atMs, 0);
}

/** Whether the Lease is newer than the one last observed. A watch may lag. */
function isLater(lease: Lease, { lease: known }: Observation): boolean {
  return isOlder(known.resourceVersion, lease.resourceVersion);
}
