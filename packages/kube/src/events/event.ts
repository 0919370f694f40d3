/**
 * What a controller says when it records an event. Type, reason, action and note together are what the
 * event is: said again about the same object, they are the same event once more.
 */
export interface NewEvent {
  readonly regarding: ObjectReference;
  readonly type: 'Normal' | 'Warning';
  /** Why, as a constant in CamelCase that people filter by: `Synced`. */
  readonly reason: string;
  /** What was done or tried, as a constant in CamelCase. */
  readonly action: string;
  /** For people. Cut where it is longer than the API server takes. */
  readonly note: string;
  /** Who says it: the name of the controller. */
  readonly reportingController: string;
}

/** An event that stands for as long as something is so, such as a refusal (P6). */
export interface SustainedEvent extends NewEvent {
  /** What it is about. Of one object and matter one event stands at a time; a new one replaces it. */
  readonly matter: string;
  /** Whether it is said again before the API server forgets it, after an hour; so where left out. */
  readonly isRenewed?: boolean;
}

export interface ObjectReference {
  readonly apiVersion: string;
  readonly kind: string;
  readonly name: string;
  readonly uid: string;
  /** Left out for what has none: with one, `kubectl describe node` does not find the event. */
  readonly namespace?: string;
}

export function nodeReference(node: {
  readonly name: string;
  readonly uid: string;
}): ObjectReference {
  return { apiVersion: 'v1', kind: 'Node', name: node.name, uid: node.uid };
}

/** Events lie beside their object; those of cluster-scoped objects in `default`. */
export function namespaceOf({ namespace }: ObjectReference): string {
  return namespace ?? 'default';
}

/**
 * Texts that fit what the API server takes. It counts bytes, so that a text in any language but English
 * is longer than it looks; what is cut is cut between characters and says so.
 */
export function boundedText(text: string, bytesMax: number): string {
  if (Buffer.byteLength(text) <= bytesMax) return text;
  const room = new Uint8Array(bytesMax - Buffer.byteLength(cutMark));
  // It stops in front of a character that does not fit whole.
  const { read } = new TextEncoder().encodeInto(text, room);
  return text.slice(0, read) + cutMark;
}

const cutMark = '…';

/** Limits of events, in bytes: `k8s.io/kubernetes/pkg/apis/core/validation/events.go`. */
export const noteBytesMax = 1_024;
export const wordBytesMax = 128;
