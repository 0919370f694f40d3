export { checkCloudAccess } from './cloud-access.ts';
export { runSelfChecks } from './run-self-checks.ts';
export { clockSkewSeconds, cloudAccess, missingPermissions } from './self-check-metrics.ts';
