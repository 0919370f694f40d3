/** What a dry run has found out so far. */
export type Finding = NodeFinding | RoutesFinding;

/** About one node. */
export type NodeFinding =
  /** The controller still waits for an answer. */
  | { readonly kind: 'pending'; readonly node: string }
  /** The cloud was asked more than once and gave no answer to go by. */
  | { readonly kind: 'unknown'; readonly node: string }
  | {
      readonly kind: 'decided';
      readonly node: string;
      /** The kinds of writes that the node would get; empty where it would stay as it is. */
      readonly actions: readonly string[];
      /** Why the node does not get all that it asks for: the code of a refusal, `Paused`, `DeletionHeld`. */
      readonly reason?: string;
    };

/** About the route tables of the cloud. A route that would be deleted belongs to no node. */
export interface RoutesFinding {
  readonly kind: 'routes';
  /** Whether the cloud has listed them. Unknown: it was asked more than once and gave no list. */
  readonly answer: 'pending' | 'unknown' | 'listed';
  /** Why there is no list, where the cloud said it. */
  readonly reason?: string;
  readonly changes: readonly RouteChange[];
}

/** A change of one route in one table. */
export interface RouteChange {
  readonly kind: 'create' | 'replace' | 'delete';
  readonly table: string;
  readonly destination: string;
}
