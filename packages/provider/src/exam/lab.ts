/**
 * A provider for its exam, and functions that change its cloud. The lab of a real cloud's provider
 * uses a fake of that cloud's API. The lab of an in-memory provider changes the memory. Every claim
 * gets its own lab.
 */
import type { NodeAddress } from '@tandem/core/node-address';
import type { Clock } from '@tandem/runtime';
import type { Instance, PodBlocks, Provider } from '../plug/index.ts';

export interface Lab {
  readonly provider: Provider;
  /**
   * The clock that the provider was created with. Its time may pass or stand still between calls.
   */
  readonly clock: Pick<Clock, 'monotonic'>;
  /**
   * Creates the instance of a node of this name, and resolves with it exactly as the provider must
   * report it, once a look-up of age 0 must see it.
   */
  create(order: InstanceOrder): Promise<Instance>;
  /** Gives the instance other addresses; resolves as `create` does. */
  readdress(name: string, addresses: readonly NodeAddress[]): Promise<Instance>;
  /** Stops the instance without removing it; resolves as `create` does. */
  stop(name: string): Promise<Instance>;
  /** Removes the instance permanently; resolves once a look-up of age 0 must not find it. */
  remove(name: string): Promise<void>;
  /** Other spellings of a providerID that this cloud accepts, if any. */
  otherSpellings?(providerID: string): readonly string[];
  /** Labels of nodes that the provider does not manage, if it has such labels. */
  readonly unmanagedLabels?: Readonly<Record<string, string>>;
  /** A providerID of this cloud that never belonged to an instance. */
  readonly unusedProviderID: string;
  /** Makes the cloud unreadable. The returned function repairs it. */
  breakCloud(): Promise<() => Promise<void>>;
  /**
   * Makes the cloud refuse the provider's credentials. The returned function restores the access.
   * Only for providers that have `checkAccess`.
   */
  revokeAccess?(): Promise<() => Promise<void>>;
  /** Waits as long as a notice of a change takes. Only for providers that have `watch`. */
  awaitNotices?(): Promise<void>;
  /** Functions that change the route tables. Only for providers that have `routes`. */
  readonly routes?: RouteLab;
  /** Waits for a look-up. A lab in virtual time advances its clock; others return the promise. */
  waitFor<T>(work: Promise<T>): Promise<T>;
  close(): Promise<void>;
}

export interface InstanceOrder {
  readonly name: string;
  /**
   * The lab may add addresses that its cloud always has, such as a host name, but keeps these in
   * order.
   */
  readonly addresses: readonly NodeAddress[];
  /** For clouds that give machines blocks of pod addresses. Other labs ignore them. */
  readonly podBlocks?: PodBlocks;
}

/** At least one table, each with room for a dozen of the exam's routes: 10.244.0.0/16, fd00:10:244::/48. */
export interface RouteLab {
  /** The number of requests so far that could change a route, including refused ones. */
  writes(): number;
  /** Creates a route that no manager created; resolves once a list must show it. */
  addForeign(table: string, destination: string): Promise<void>;
  /** True if no one else may write to the tables, so that the provider treats every route as ours. */
  readonly ownsTables?: boolean;
  /**
   * Fills a table so that it takes no further route of any family, and resolves with its id once a
   * list must show that. Left out if the cloud has no such limit.
   */
  fillTable?(): Promise<string>;
}
