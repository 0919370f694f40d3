export { ApiServerLine } from './api-server-line.ts';
export { CredentialsRefusedError } from './credentials-refused.ts';
export { EventLoopWatch, eventLoopLagSeconds } from './event-loop.ts';
export { type HealthChecks, healthChecks } from './health-checks.ts';
