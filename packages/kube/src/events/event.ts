/**
 * An event as a controller records it. Events with the same object, type, reason, action and note are
 * occurrences of one event.
 */
export interface NewEvent {
  readonly regarding: ObjectReference;
  readonly type: 'Normal' | 'Warning';
  /** Why, as a CamelCase constant that people filter by: `Synced`. */
  readonly reason: string;
  /** What was done or tried, as a CamelCase constant. */
  readonly action: string;
  /** For people. Truncated to the limit of the API server. */
  readonly note: string;
  /** The name of the controller. */
  readonly reportingController: string;
}

/** An event that holds while its cause lasts, such as a refusal (P6). */
export interface SustainedEvent extends NewEvent {
  /** The cause. Each object has one event per matter; a new one replaces it. */
  readonly matter: string;
  /** Whether it is renewed before the API server deletes it after an hour. Default: true. */
  readonly isRenewed?: boolean;
}

export interface ObjectReference {
  readonly apiVersion: string;
  readonly kind: string;
  readonly name: string;
  readonly uid: string;
  /**
   * Left out for cluster-scoped objects: with one, `kubectl describe node` does not find the event.
   */
  readonly namespace?: string;
}

export function nodeReference(node: {
  readonly name: string;
  readonly uid: string;
}): ObjectReference {
  return { apiVersion: 'v1', kind: 'Node', name: node.name, uid: node.uid };
}

/**
 * Events are in the namespace of their object; those of cluster-scoped objects are in `default`.
 */
export function namespaceOf({ namespace }: ObjectReference): string {
  return namespace ?? 'default';
}

/**
 * A text within a limit of the API server, which counts bytes. A longer text is cut between characters
 * and marked.
 */
export function boundedText(text: string, bytesMax: number): string {
  if (Buffer.byteLength(text) <= bytesMax) return text;
  const room = new Uint8Array(bytesMax - Buffer.byteLength(cutMark));
  // Stops before a character that does not fit.
  const { read } = new TextEncoder().encodeInto(text, room);
  return text.slice(0, read) + cutMark;
}

const cutMark = '…';

/** Limits of events, in bytes: `k8s.io/kubernetes/pkg/apis/core/validation/events.go`. */
export const noteBytesMax = 1_024;
export const wordBytesMax = 128;
