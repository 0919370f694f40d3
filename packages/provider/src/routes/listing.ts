/**
 * A cloud's route tables as callers get them: copies, with parsed destinations and next hops. The
 * destination of our own route is always valid, because `readListing` rejects a listing with an
 * invalid one.
 */
import type { ListedTable } from '@tandem/core/routes';
import type { CcmError } from '@tandem/runtime';

export type { ListedRoute, ListedTable, ListedTarget } from '@tandem/core/routes';

export type Listing =
  | {
      readonly kind: 'listed';
      /**
       * The listing includes all changes in the cloud before then, as far as the cloud is
       * consistent.
       */
      readonly asOfMs: number;
      readonly tables: readonly ListedTable[];
    }
  /** Tandem creates, replaces and deletes nothing because of it (P3). */
  | { readonly kind: 'unknown'; readonly err: CcmError };
