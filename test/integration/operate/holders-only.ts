/**
 * The law of the Lease, held against the API server's own record: whoever changed anything held the
 * Lease at that moment, by the last write to it that succeeded. It shares no code with the election.
 */
import assert from 'node:assert/strict';
import type { AuditEntry } from '../../control-plane/index.ts';

interface Term {
  readonly user: string;
  /** What was changed in it, as `patch nodes node-0`; the Lease aside. */
  readonly writes: string[];
}

/** Takes the entries of the managers, oldest first; gives the terms in which they led, in order. */
export function termsIn(entries: readonly AuditEntry[]): Term[] {
  const terms: Term[] = [];
  const ordered = entries
    .filter(isChange)
    .toSorted((left, right) => timeOf(left).localeCompare(timeOf(right)));
  for (const { verb, objectRef = {}, user, ...entry } of ordered) {
    const { resource = '', name = '' } = objectRef;
    const last = terms.at(-1);
    if (resource === 'leases') {
      if (last?.user !== user.username) terms.push({ user: user.username, writes: [] });
      continue;
    }
    const write = `${verb} ${resource} ${name}`;
    const holder = last?.user ?? 'nobody';
    assert.equal(user.username, holder, `${write} at ${entry.requestReceivedTimestamp}`);
    last?.writes.push(write);
  }
  return terms;
}

/** Reviews are creates that change nothing; what was refused changed nothing either. */
function isChange({ verb, objectRef, responseStatus }: AuditEntry): boolean {
  const isWrite = !['get', 'list', 'watch'].includes(verb);
  const isReview = objectRef?.resource?.endsWith('reviews') ?? false;
  return isWrite && !isReview && (responseStatus?.code ?? 500) < 300;
}

function timeOf({ requestReceivedTimestamp }: AuditEntry): string {
  return requestReceivedTimestamp;
}
