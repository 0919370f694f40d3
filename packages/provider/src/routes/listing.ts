/**
 * What callers get of a cloud's route tables: destinations and next hops as values, all of it copied. A route
 * of ours always has a value; `readListing` refuses a listing in which one has none.
 */
import type { ListedTable } from '@tandem/core/routes';
import type { CcmError } from '@tandem/runtime';

export type { ListedRoute, ListedTable, ListedTarget } from '@tandem/core/routes';

export type Listing =
  | {
      readonly kind: 'listed';
      /** What happened in the cloud before then is in the listing, as far as the cloud is consistent. */
      readonly asOfMs: number;
      readonly tables: readonly ListedTable[];
    }
  /** Nothing is created, replaced or deleted because of it (P3). */
  | { readonly kind: 'unknown'; readonly err: CcmError };
