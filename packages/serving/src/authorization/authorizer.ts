/**
 * Decides whether a client may do something, in upstream's order: members of `system:masters` may do everything, open
 * paths are open, and the API server decides about everything else. If it cannot be asked, the answer is never yes.
 */
import type { Access, AccessReviews } from './access-reviews.ts';

/** `unchecked`: no API server is asked, so the caller has no rights. `unknown`: the API server did not answer. */
export type Decision = 'allowed' | 'forbidden' | 'unchecked' | 'unknown';

export interface Authorizer {
  /** Returns whether the path, as the client sent it, is open to all clients. */
  isOpen(path: string): boolean;
  decide(access: Access): Promise<Decision>;
}

const privilegedGroup = 'system:masters';

export function createAuthorizer(parts: {
  readonly isOpen: (path: string) => boolean;
  /** Undefined if no API server reviews access. All other callers then have no rights. */
  readonly reviews: AccessReviews | undefined;
}): Authorizer {
  const { isOpen, reviews } = parts;
  return {
    isOpen,
    async decide(access) {
      if (access.identity.groups.includes(privilegedGroup)) return 'allowed';
      if (reviews === undefined) return 'unchecked';
      try {
        return (await reviews.isAllowed(access)) ? 'allowed' : 'forbidden';
      } catch {
        // The reviewer logged the failure.
        return 'unknown';
      }
    },
  };
}

/**
 * Returns whether a path is open to all clients (`--authorization-always-allow-paths`). A setting that ends in `*`
 * matches every path with that prefix. Paths are compared as clients send them: an encoded or doubled slash makes
 * another path.
 */
export function alwaysAllowed(paths: readonly string[]): (path: string) => boolean {
  const prefixes = paths.filter((path) => path.endsWith('*')).map((path) => path.slice(0, -1));
  const exact = new Set(paths.filter((path) => !path.endsWith('*')));
  return (path) => exact.has(path) || prefixes.some((prefix) => path.startsWith(prefix));
}
