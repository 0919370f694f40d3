/** Checks the limits of calls to a provider, because an invalid limit would let every call through. */
export interface CallLimits {
  readonly batchSize: number;
  readonly concurrency: number;
  readonly callsPerSecond: number;
  readonly burst: number;
  readonly deadlineMs: number;
}

/** Returns the limits, or throws if one is invalid. `owner` names the provider. */
export function requireLimits(owner: string, limits: CallLimits): CallLimits {
  requireWhole(owner, 'batchSize', limits.batchSize);
  requireWhole(owner, 'concurrency', limits.concurrency);
  requireWhole(owner, 'burst', limits.burst);
  requirePositive(owner, 'callsPerSecond', limits.callsPerSecond);
  requirePositive(owner, 'deadlineMs', limits.deadlineMs);
  return limits;
}

function requireWhole(owner: string, limit: string, value: number): void {
  if (Number.isInteger(value) && value >= 1) return;
  throw new RangeError(
    `limits.${limit} of ${owner} must be a whole number of at least 1, not ${value}`,
  );
}

export function requirePositive(owner: string, limit: string, value: number): void {
  if (value > 0) return;
  throw new RangeError(`limits.${limit} of ${owner} must be a number greater than 0, not ${value}`);
}
