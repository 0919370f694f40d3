/**
 * The two priorities of the work queue. Urgent is what somebody waits for: a node that cannot be used
 * before it is initialised. Routine is keeping true what is true already.
 */
export type Priority = 'urgent' | 'routine';

/** A key that was added twice runs once, at the higher of its priorities. */
export function higherPriority(a: Priority, b: Priority | undefined): Priority {
  return b === 'urgent' ? b : a;
}
