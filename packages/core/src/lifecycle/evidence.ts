/**
 * The evidence that a NotReady node is gone, from the answers of the cloud so far. Pure
 * bookkeeping: each answer gives new evidence. It is kept only in memory, and starts again for
 * another UID or providerID, so that no node is deleted because of a predecessor's absence.
 *
 * An `unknown` does not change the evidence (P3). If it did, a cloud that throttles every other
 * call would keep dead nodes forever. Old evidence expires by itself: absences further apart than
 * `gapMsMax` are not linked, so that one wrong answer before an outage and one after it do not
 * count as two in a row.
 */
export interface Evidence {
  readonly uid: string;
  readonly providerID: string;
  /** The consecutive authoritative absences that count; null if there are none. */
  readonly absent: AbsentSpan | null;
  /**
   * Whether the last answer was an absence that does not count, so that the source must be asked.
   */
  readonly isSuspected: boolean;
}

/** The times of the first and the latest absence, on the monotonic clock. */
export interface AbsentSpan {
  readonly firstMs: number;
  readonly latestMs: number;
}

export type LifecycleAnswer =
  | { readonly kind: 'found'; readonly state: InstanceState }
  | {
      readonly kind: 'absent';
      /** Only authoritative answers count. */
      readonly freshness: 'cached' | 'authoritative';
      /** On the monotonic clock. */
      readonly asOfMs: number;
    }
  /** The cloud says that the node is not its own. */
  | { readonly kind: 'notOurs' }
  | { readonly kind: 'unknown'; readonly reason: string };

/** The same as in the plug of providers. */
export type InstanceState = 'pending' | 'running' | 'stopping' | 'stopped' | 'terminating';

export interface EvidenceRules {
  /** Absences count from this time on the monotonic clock, when the node has its minimum age. */
  readonly countsFromMs: number;
  /**
   * The longest time between two consecutive absences. After a longer gap the later one counts as
   * the first.
   */
  readonly gapMsMax: number;
}

type Subject = Pick<Evidence, 'uid' | 'providerID'>;

export function noEvidence({ uid, providerID }: Subject): Evidence {
  return { uid, providerID, absent: null, isSuspected: false };
}

/** Whether the evidence is about this node and this instance. */
export function isAbout(evidence: Evidence, { uid, providerID }: Subject): boolean {
  return evidence.uid === uid && evidence.providerID === providerID;
}

/** Whether the last definite answer of the cloud was an absence. */
export function saysAbsent({ absent, isSuspected }: Evidence): boolean {
  return absent !== null || isSuspected;
}

export function withAnswer(
  evidence: Evidence,
  answer: LifecycleAnswer,
  rules: EvidenceRules,
): Evidence {
  switch (answer.kind) {
    case 'unknown':
      return evidence;
    case 'found':
    case 'notOurs':
      return noEvidence(evidence);
    case 'absent': {
      const counts = answer.freshness === 'authoritative' && answer.asOfMs >= rules.countsFromMs;
      if (!counts) return { ...evidence, isSuspected: true };
      const absent = extend(evidence.absent, answer.asOfMs, rules.gapMsMax);
      return { ...evidence, absent, isSuspected: false };
    }
  }
}

/** Answers may arrive out of order; an older one adds nothing. */
function extend(span: AbsentSpan | null, asOfMs: number, gapMsMax: number): AbsentSpan {
  const isLinked = span !== null && asOfMs - span.latestMs <= gapMsMax;
  if (!isLinked) return { firstMs: asOfMs, latestMs: asOfMs };
  return { firstMs: span.firstMs, latestMs: Math.max(span.latestMs, asOfMs) };
}
