/** What callers get of a cloud's route tables: destinations and next hops as values, all of it copied. */
import type { Cidr, IpAddress } from '@tandem/core/ip';
import type { CcmError } from '@tandem/runtime';
import type { InstanceKey, RouteTable } from '../plug/index.ts';

export type Listing =
  | {
      readonly kind: 'listed';
      /** What happened in the cloud before then is in the listing, as far as the cloud is consistent. */
      readonly asOfMs: number;
      readonly tables: readonly ListedTable[];
    }
  /** Nothing is created, replaced or deleted because of it (P3). */
  | { readonly kind: 'unknown'; readonly err: CcmError };

export interface ListedTable extends Pick<RouteTable, 'id' | 'capacity'> {
  readonly routes: readonly ListedRoute[];
}

export interface ListedRoute {
  readonly id: string;
  /**
   * Undefined only for a route that is not ours and whose destination is no CIDR, such as a prefix list or
   * a service tag. Such a route fills its table and is left alone.
   */
  readonly destination: Cidr | undefined;
  /** The destination as the cloud spells it. */
  readonly text: string;
  readonly ours: boolean;
  readonly target: ListedTarget;
}

export type ListedTarget =
  | { readonly kind: 'instance'; readonly key: InstanceKey; readonly ready: boolean }
  | { readonly kind: 'address'; readonly address: IpAddress }
  | { readonly kind: 'blackhole' }
  | { readonly kind: 'other' };
