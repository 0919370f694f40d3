/** What a dry run has found out about one node so far. */
export type Finding =
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
      readonly standing?: string;
    };
