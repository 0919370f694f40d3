/**
 * Reads and writes the one Lease. Each call has a limit, and an outcome instead of an exception. A write
 * whose answer was lost is `failed`: the caller reads the Lease before it decides anything (P3).
 */
import { type Clock, type Instant, instantOf } from '@tandem/runtime';
import { type Call, hasStatus, type KubeClient, type Resource } from '../client/index.ts';
import { parseJson } from '../codec/json-value.ts';
import { type Lease, type LeaseName, readLease } from './lease.ts';

type ReadOutcome =
  | { readonly kind: 'found'; readonly lease: Lease }
  | { readonly kind: 'absent' }
  | { readonly kind: 'failed'; readonly err: unknown };

export type WriteOutcome =
  /** Stored. `sentAt` is not later than the moment when the write left this process. */
  | { readonly kind: 'written'; readonly lease: Lease; readonly sentAt: Instant }
  /** Not stored, because the Lease has changed. */
  | { readonly kind: 'conflict' }
  /** No good answer. The write may have had an effect. */
  | { readonly kind: 'failed'; readonly err: unknown };

/** The resource of all Leases of a namespace. */
export function leasesOf({ namespace }: LeaseName): Resource {
  return { group: 'coordination.k8s.io', version: 'v1', resource: 'leases', namespace };
}

interface LeaseStoreOptions {
  readonly client: KubeClient;
  readonly clock: Clock;
  readonly lease: LeaseName;
  /** For one call. */
  readonly limitMs: number;
}

export class LeaseStore {
  readonly #options: LeaseStoreOptions;
  readonly #lease: Resource;

  constructor(options: LeaseStoreOptions) {
    this.#options = options;
    this.#lease = { ...leasesOf(options.lease), name: options.lease.name };
  }

  async read(signal: AbortSignal): Promise<ReadOutcome> {
    try {
      const lease = await this.#call({ verb: 'get', resource: this.#lease }, signal);
      return { kind: 'found', lease };
    } catch (err) {
      return hasStatus(err, 404) ? { kind: 'absent' } : { kind: 'failed', err };
    }
  }

  create(body: unknown, signal: AbortSignal): Promise<WriteOutcome> {
    const resource = leasesOf(this.#options.lease);
    return this.#write({ verb: 'create', resource, body }, signal);
  }

  /** The body carries the resourceVersion that was read, so that it replaces nothing else. */
  update(body: unknown, signal: AbortSignal): Promise<WriteOutcome> {
    return this.#write({ verb: 'update', resource: this.#lease, body }, signal);
  }

  async #write(call: Call, signal: AbortSignal): Promise<WriteOutcome> {
    const sentAt = instantOf(this.#options.clock);
    try {
      return { kind: 'written', lease: await this.#call(call, signal), sentAt };
    } catch (err) {
      return hasStatus(err, 409) ? { kind: 'conflict' } : { kind: 'failed', err };
    }
  }

  async #call(call: Call, signal: AbortSignal): Promise<Lease> {
    const { client, limitMs } = this.#options;
    const answer = await client.call({ ...call, limitMs, signal, retries: false });
    const lease = readLease(parseJson(answer.body));
    if (lease === undefined) throw new TypeError('The API server did not return a Lease');
    return lease;
  }
}
