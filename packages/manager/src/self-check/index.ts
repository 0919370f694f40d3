export { tellFirstLookup } from './first-lookup.ts';
export { runSelfChecks, type SelfCheckOptions } from './run-self-checks.ts';
export { clockSkewSeconds, missingPermissions } from './self-check-metrics.ts';
