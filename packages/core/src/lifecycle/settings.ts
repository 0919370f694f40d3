/** What the operator has configured about the deletion of nodes. */
export interface LifecycleSettings {
  /** `--node-deletion-grace`: how far apart two absent answers must be. */
  readonly graceMs: number;
  /** `--node-deletion-min-age`: answers about younger nodes do not count. */
  readonly minAgeMs: number;
  /** `--node-deletion-brake`; undefined if it is disabled. */
  readonly brake: BrakeSettings | undefined;
}

/** Nothing is deleted while more nodes than both of these are absent. */
export interface BrakeSettings {
  readonly nodes: number;
  /** Of the owned nodes, from 0 to 1. */
  readonly share: number;
  /** For how long nodes that were deleted still count as absent. */
  readonly windowMs: number;
}
