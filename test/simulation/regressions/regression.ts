/** A world that once found a mistake. It is run for ever, whatever the number of worlds of a run. */
export interface Regression {
  readonly seed: string;
  /** What went wrong in it, and why. */
  readonly found: string;
}
