export { ApiServerLine, CredentialsRefusedError } from './api-server-line.ts';
export { EventLoopWatch, eventLoopLagSeconds } from './event-loop.ts';
export { type HealthChecks, healthChecks } from './health-checks.ts';
