/**
 * Decides whether a client may do something, in upstream's order: members of `system:masters` may do everything, open
 * paths are open, and the API server decides about everything else. If it cannot be asked, the answer is never yes.
 */
import type { Access, AccessReviews } from './access-reviews.ts';

/** `unchecked`: no API server is asked, so the caller has no rights. `unknown`: the API server did not answer. */
export type Decision = 'allowed' | 'forbidden' | 'unchecked' | 'unknown';

export interface Authorizer {
  /** Whether the path, as it came, is open to everybody. */
  isOpen(path: string): boolean;
  decide(access: Access): Promise<Decision>;
}

const privilegedGroup = 'system:masters';

export function createAuthorizer(parts: {
  readonly isOpen: (path: string) => boolean;
  /** Undefined where no API server is to be asked: then no other caller has rights. */
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
        // The reviewer has told the log.
        return 'unknown';
      }
    },
  };
}

/**
 * Whether a path is open to all clients (`--authorization-always-allow-paths`). A setting that ends in `*` matches every
 * path with that prefix. The target is compared as it came: an encoded or doubled slash makes it another path.
 */
export function alwaysAllowed(paths: readonly string[]): (path: string) => boolean {
  const prefixes = paths.filter((path) => path.endsWith('*')).map((path) => path.slice(0, -1));
  const exact = new Set(paths.filter((path) => !path.endsWith('*')));
  return (path) => exact.has(path) || prefixes.some((prefix) => path.startsWith(prefix));
}
