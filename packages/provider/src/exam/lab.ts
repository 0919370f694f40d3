/**
 * What a provider brings to its exam: itself, and hands in its cloud. The lab of a real cloud's provider
 * talks to a fake of that cloud's API; one of an in-memory provider changes the memory. Every claim gets
 * a lab of its own.
 */
import type { NodeAddress } from '@tandem/core/node-address';
import type { Instance, Provider } from '../plug/index.ts';

export interface Lab {
  readonly provider: Provider;
  /**
   * Makes an instance that a node of this name would run on, and resolves with it exactly as the
   * provider is to report it, once a look-up of either freshness must see it.
   */
  create(order: InstanceOrder): Promise<Instance>;
  /** Gives it other addresses; resolves as `create` does. */
  readdress(name: string, addresses: readonly NodeAddress[]): Promise<Instance>;
  /** Shuts it down but keeps it; resolves as `create` does. */
  stop(name: string): Promise<Instance>;
  /** Removes it for good; resolves once an authoritative look-up must see it gone. */
  remove(name: string): Promise<void>;
  /** A providerID of this cloud that never belonged to an instance. */
  readonly unusedProviderID: string;
  /** Makes the cloud unreadable; the function that comes back repairs it. */
  breakCloud(): Promise<() => Promise<void>>;
  /**
   * Makes the cloud refuse the provider's credentials; the function that comes back gives access again.
   * Only for providers that have `checkAccess`.
   */
  revokeAccess?(): Promise<() => Promise<void>>;
  /** Waits for a look-up. A lab in virtual time moves it on; others return the promise. */
  waitFor<T>(work: Promise<T>): Promise<T>;
  close(): Promise<void>;
}

export interface InstanceOrder {
  readonly name: string;
  /** The lab may add what its cloud always has (a host name), but must have these, in this order. */
  readonly addresses: readonly NodeAddress[];
}
