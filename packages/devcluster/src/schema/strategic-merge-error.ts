/** A strategic merge patch that cannot be applied says why. */
export class StrategicMergeError extends Error {}
