export { ApiServerConnection, CredentialsRefusedError } from './api-server-connection.ts';
export { EventLoopWatch, eventLoopLagSeconds } from './event-loop.ts';
export { type HealthChecks, healthChecks } from './health-checks.ts';
