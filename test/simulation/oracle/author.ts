/** The author of a write: a process of the manager. Writes of the rest of the world have none. */
import type { RouteListing } from '@tandem/provider/plug';
import type { Evidence } from './deletion-law.ts';
import type { HeardRoutes } from './heard-routes.ts';

export interface Author {
  readonly name: string;
  /** What the cloud has told it. */
  readonly evidence: Evidence;
  /** The same about routes. */
  readonly routes: HeardRoutes;
  /** The version of the store at which it took the Lease. */
  readonly ledSince: number;
  /** It took the Lease, which led to that version. */
  began(ledSince: number): void;
}

/** Who writes now, and the version at which it led when it sent what is written. */
export interface Writer {
  readonly author: Author;
  readonly ledSince: number;
  /** The last list of routes that it had by then. */
  readonly listing: RouteListing | undefined;
}

export function writerNow(author: Author): Writer {
  return { author, ledSince: author.ledSince, listing: author.routes.listings.at(-1) };
}
