/**
 * What the cloud has said about a NotReady node so far, as far as it can cost the node its life. Pure
 * bookkeeping: answers go in, and what stands afterwards comes out. It is kept in memory only, and
 * starts again for another UID or providerID: no node is deleted for a predecessor's absence.
 *
 * An `unknown` neither adds nor takes anything away (P3): if it took away, a cloud that throttles every
 * other call would keep dead nodes for ever. What it leaves standing goes stale by itself: absences
 * further apart than `gapMsMax` are not linked, so that one wrong answer before an outage and one
 * after it are not taken for two in a row.
 */
export interface Evidence {
  readonly uid: string;
  readonly providerID: string;
  /** The authoritative absences in a row that count; null where there are none. */
  readonly absent: AbsentSpan | null;
  /** Whether the last answer was an absence that does not count: time to ask the source itself. */
  readonly isSuspected: boolean;
}

/** When the first and the latest of them were asked for, on the monotonic clock. */
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

/** As the plug of a provider has it. */
export type InstanceState = 'pending' | 'running' | 'stopping' | 'stopped' | 'terminating';

export interface EvidenceRules {
  /** From when on absences count: when the node came of age, on the monotonic clock. */
  readonly countsFromMs: number;
  /** Between two absences in a row; after a longer gap the later one counts as the first. */
  readonly gapMsMax: number;
}

type Subject = Pick<Evidence, 'uid' | 'providerID'>;

export function noEvidence({ uid, providerID }: Subject): Evidence {
  return { uid, providerID, absent: null, isSuspected: false };
}

/** Whether it is about this very node and this very instance. */
export function isAbout(evidence: Evidence, { uid, providerID }: Subject): boolean {
  return evidence.uid === uid && evidence.providerID === providerID;
}

/** Whether the cloud's last word was that the instance is gone. */
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
