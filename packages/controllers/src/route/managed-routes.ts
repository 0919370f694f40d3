/**
 * What other controllers need to know where routes are managed: which nodes get routes, so that a new node is
 * marked before its taint goes, and what the tables list, so that a block is not handed out while a route to its
 * last node stands (I7).
 */
import type { RouteRules } from '@tandem/core/node-init';
import type { ListedTable } from '@tandem/core/routes';

export interface ManagedRoutes extends RouteRules {
  readonly listed: ListedRoutes;
}

/** What a list showed. */
export interface RoutesSeen {
  /** What happened in the cloud before then is in it. */
  readonly asOfMs: number;
  readonly tables: readonly ListedTable[];
  /** How many routes the nodes of the cluster need. */
  readonly wanted: number;
}

/** Tells of every list of the routes. */
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
