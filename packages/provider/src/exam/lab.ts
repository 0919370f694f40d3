/**
 * What a provider brings to its exam: itself, and hands in its cloud. The lab of a real cloud's provider
 * talks to a fake of that cloud's API; one of an in-memory provider changes the memory. Every claim gets
 * a lab of its own.
 */
import type { NodeAddress } from '@tandem/core/node-address';
import type { Clock } from '@tandem/runtime';
import type { Instance, PodBlocks, Provider } from '../plug/index.ts';

export interface Lab {
  readonly provider: Provider;
  /** The clock that the provider was created with; between two hands time passes, or it stands still. */
  readonly clock: Pick<Clock, 'monotonic'>;
  /**
   * Makes an instance that a node of this name would run on, and resolves with it exactly as the
   * provider is to report it, once a look-up of age 0 must see it.
   */
  create(order: InstanceOrder): Promise<Instance>;
  /** Gives it other addresses; resolves as `create` does. */
  readdress(name: string, addresses: readonly NodeAddress[]): Promise<Instance>;
  /** Shuts it down but keeps it; resolves as `create` does. */
  stop(name: string): Promise<Instance>;
  /** Removes it for good; resolves once a look-up of age 0 must see it gone. */
  remove(name: string): Promise<void>;
  /** Other spellings of a providerID under which this cloud knows the instance, where it has any. */
  otherSpellings?(providerID: string): readonly string[];
  /** Labels of nodes that the provider takes for none of its own, where it has such labels. */
  readonly unmanagedLabels?: Readonly<Record<string, string>>;
  /** A providerID of this cloud that never belonged to an instance. */
  readonly unusedProviderID: string;
  /** Makes the cloud unreadable; the function that comes back repairs it. */
  breakCloud(): Promise<() => Promise<void>>;
  /**
   * Makes the cloud refuse the provider's credentials; the function that comes back gives access again.
   * Only for providers that have `checkAccess`.
   */
  revokeAccess?(): Promise<() => Promise<void>>;
  /** Lets as much time pass as a notice of a change takes. Only for providers that have `watch`. */
  awaitNotices?(): Promise<void>;
  /** Hands in the route tables. Only for providers that have `routes`. */
  readonly routes?: RouteLab;
  /** Waits for a look-up. A lab in virtual time moves it on; others return the promise. */
  waitFor<T>(work: Promise<T>): Promise<T>;
  close(): Promise<void>;
}

export interface InstanceOrder {
  readonly name: string;
  /** The lab may add what its cloud always has (a host name), but must have these, in this order. */
  readonly addresses: readonly NodeAddress[];
  /** For clouds that give machines blocks of pod addresses; others leave them aside. */
  readonly podBlocks?: PodBlocks;
}

/** At least one table, each with room for a dozen of the exam's routes: 10.244.0.0/16, fd00:10:244::/48. */
export interface RouteLab {
  /** How many requests that could change a route the cloud has received so far, refused ones included. */
  writes(): number;
  /** Makes a route behind the provider's back; resolves once a list must show it. No manager made it. */
  addForeign(table: string, destination: string): Promise<void>;
  /** True if no one else may write to the tables, so that the provider treats every route as ours. */
  readonly ownsTables?: boolean;
  /**
   * Makes a table take no more routes of any family, and resolves with its id once a list must show it.
   * Left out where the cloud has no such limit.
   */
  fillTable?(): Promise<string>;
}
