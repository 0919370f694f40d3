/**
 * Checks the rule of the Lease against the audit log: each manager that changed anything held the Lease at that
 * moment, by the last successful write to the Lease. It shares no code with the election.
 */
import assert from 'node:assert/strict';
import type { AuditEntry } from '../../control-plane/index.ts';

interface Term {
  readonly user: string;
  /** The changes during the term, as `patch nodes node-0`, without those of the Lease. */
  readonly writes: string[];
}

/** Returns the terms of the managers, in order, from their entries, oldest first. */
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

/** Reviews are creates that change nothing, and refused requests change nothing either. */
function isChange({ verb, objectRef, responseStatus }: AuditEntry): boolean {
  const isWrite = !['get', 'list', 'watch'].includes(verb);
  const isReview = objectRef?.resource?.endsWith('reviews') ?? false;
  return isWrite && !isReview && (responseStatus?.code ?? 500) < 300;
}

function timeOf({ requestReceivedTimestamp }: AuditEntry): string {
  return requestReceivedTimestamp;
}
