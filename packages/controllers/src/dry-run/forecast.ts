/** What a dry run expects the controllers to change, as far as it knows. */
export type Forecast = NodeForecast | RoutesForecast;

/** A forecast about one node. */
export type NodeForecast =
  /** The controller still waits for an answer. */
  | { readonly kind: 'pending'; readonly node: string }
  /** The cloud was asked more than once and gave no usable answer. */
  | { readonly kind: 'unknown'; readonly node: string }
  | {
      readonly kind: 'decided';
      readonly node: string;
      /** The kinds of writes that the node would get; empty if it would stay as it is. */
      readonly actions: readonly string[];
      /**
       * Why the node does not get all that it requests: a refusal code, `Paused` or `DeletionHeld`.
       */
      readonly reason?: string;
    };

/**
 * A forecast about the route tables of the cloud. A route that would be deleted belongs to no node.
 */
export interface RoutesForecast {
  readonly kind: 'routes';
  /**
   * Whether the cloud has listed the tables. `unknown`: it was asked more than once and gave no
   * list.
   */
  readonly answer: 'pending' | 'unknown' | 'listed';
  /** Why there is no list, if the cloud gave a reason. */
  readonly reason?: string;
  readonly changes: readonly RouteChange[];
}

/** A change of one route in one table. */
export interface RouteChange {
  readonly kind: 'create' | 'replace' | 'delete';
  readonly table: string;
  readonly destination: string;
}
