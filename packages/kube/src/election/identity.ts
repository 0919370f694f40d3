/**
 * Who campaigns, in upstream's form: the host for people, and a UUID so that a process that was
 * started again on the same host is not taken for its predecessor.
 */
import type { Ids } from '@tandem/runtime';

export function electionIdentity({ hostname, ids }: { hostname: string; ids: Ids }): string {
  return `${hostname}_${ids.uuid()}`;
}
