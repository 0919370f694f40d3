export { clockSkewSeconds } from './api-server-clock.ts';
export { missingPermissions } from './check-permissions.ts';
export { checkCloudAccess, cloudAccess } from './cloud-access.ts';
export { runSelfChecks } from './run-self-checks.ts';
