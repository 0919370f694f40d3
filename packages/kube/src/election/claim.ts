/**
 * One elector's claim on the Lease: what it saw of it, what it wrote, and the three moves of client-go's
 * protocol – acquire, renew, release. Each move is one try; when to make it is decided elsewhere. A
 * write without a good answer is never taken for done or for undone: the next step reads back.
 */
import type { Clock, Instant } from '@tandem/runtime';
import {
  acquiredLease,
  createdLease,
  type Lease,
  type LeaseName,
  releasedLease,
  renewedLease,
  type Signature,
} from './lease.ts';
import type { LeaseStore, WriteOutcome } from './lease-store.ts';
import { isLater, type Observation, observe, remainingMs } from './observation.ts';

export type Attempt =
  /** Ours, proven by a write that was sent then. */
  | { readonly kind: 'held'; readonly sentAt: Instant }
  /** Another holds it. */
  | { readonly kind: 'taken' }
  /** Another process wrote in between; the next read shows which. */
  | { readonly kind: 'contested' }
  | { readonly kind: 'failed'; readonly err: unknown };

/**
 * How the Lease came to be free: it had no holder, its holder gave it back with no write under way, or its
 * holder fell silent, so that the holder's last write may still be stored.
 */
export type Predecessor = 'none' | 'released' | 'expired';

export interface ClaimOptions {
  readonly store: LeaseStore;
  readonly clock: Clock;
  readonly name: LeaseName;
  readonly identity: string;
  readonly leaseDurationMs: number;
  /** Told when a renewal needs more than its one write. */
  readonly onSlowPath: () => void;
}

export class LeaseClaim {
  readonly #options: ClaimOptions;
  #observation: Observation | undefined;
  /** The Lease as it stands with us as its holder, if the server confirmed that last. */
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

  /** How long ago the record was last seen to change. */
  get ageMs(): number | undefined {
    if (this.#observation === undefined) return undefined;
    return this.#options.clock.monotonic() - this.#observation.sinceMs;
  }

  /** How long another's record must still be left alone. */
  get othersRemainingMs(): number {
    if (this.#observation === undefined || this.leader === this.#options.identity) return 0;
    return remainingMs(this.#observation, this.#options.clock.monotonic());
  }

  /** Whom the Lease was taken over from when it was last acquired. */
  get predecessor(): Predecessor {
    return this.#predecessor;
  }

  /** Whether the stored Lease may name us, as far as we know. */
  get mayHold(): boolean {
    return this.#mayHold;
  }

  /** Takes note of what a watch tells. It may lag behind what was read, which then stands. */
  notice(lease: Lease): void {
    const known = this.#observation;
    if (known === undefined || isLater(lease, known)) this.#see(lease);
  }

  /** Takes the Lease if it has no holder, or if its holder is late. */
  async acquire(signal: AbortSignal): Promise<Attempt> {
    const read = await this.#options.store.read(signal);
    if (read.kind === 'failed') return read;
    if (read.kind === 'found') this.#see(read.lease);
    // A Lease that was deleted does not stop its holder from writing: what was seen still counts.
    if (this.othersRemainingMs > 0) return { kind: 'taken' };
    if (read.kind === 'absent') {
      this.#predecessor = this.leader === undefined ? 'none' : 'expired';
      return this.#create(signal);
    }
    const { lease } = read;
    // Ours already: an earlier write of ours arrived although its answer did not, or a term of ours was
    // lost. What was noted when that write was made still holds.
    const isOurs = lease.holderIdentity === this.#options.identity;
    if (!isOurs) this.#predecessor = lease.holderIdentity === '' ? 'released' : 'expired';
    const body = (isOurs ? renewedLease : acquiredLease)(lease, this.#signature());
    return this.#settle(await this.#update(body, signal));
  }

  /** A term has begun: should it be lost, the next one follows on writes of our own. */
  beginTerm(): void {
    this.#predecessor = 'expired';
  }

  /** Renews what we hold: with one write, or after reading back when that one got no good answer. */
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

  /** Gives the Lease back if it may be ours. Whether that is done now. */
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
    const body = createdLease(this.#options.name, this.#signature());
    this.#mayHold = true;
    return this.#settle(await this.#options.store.create(body, signal));
  }

  /** Whatever comes of it, the copy that it was made from is spent. */
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
