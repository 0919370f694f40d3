/**
 * What other controllers need to know if the manager manages routes: which nodes get routes, so that a new node is
 * marked before its taint is removed, and which routes the tables list, so that a block is not assigned again while a
 * route to its last node exists (I7).
 */
import type { RouteRules } from '@tandem/core/node-init';
import type { ListedTable } from '@tandem/core/routes';

export interface ManagedRoutes extends RouteRules {
  readonly listed: ListedRoutes;
}

/** The content of one list of the route tables. */
export interface RoutesSeen {
  /** The list shows everything that happened in the cloud before this time. */
  readonly asOfMs: number;
  readonly tables: readonly ListedTable[];
  /** How many routes the nodes of the cluster need. */
  readonly wanted: number;
}

/** Passes every list of the routes on to its subscribers. */
export class ListedRoutes {
  readonly #listeners = new Set<(seen: RoutesSeen) => void>();

  subscribe(listener: (seen: RoutesSeen) => void): () => void {
    this.#listeners.add(listener);
    return () => void this.#listeners.delete(listener);
  }

  tell(seen: RoutesSeen): void {
    for (const listener of this.#listeners) listener(seen);
  }
}
