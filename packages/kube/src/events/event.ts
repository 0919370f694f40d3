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
export interface StandingEvent extends NewEvent {
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
