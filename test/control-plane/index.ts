/**
 * The door to the control plane for tests: start one, share one, ask it things, disturb it.
 *
 *     before(async function () {
 *       controlPlane = await sharedControlPlane(this);
 *     });
 *     it('lists nodes', async () => {
 *       const answer = await request(controlPlane.admin, { path: '/api/v1/nodes' });
 *     });
 */
export type { ApiServerOptions } from './api-server.ts';
export { testsAtOnce } from './at-once.ts';
export type { AuditEntry, AuditLog } from './audit-log.ts';
export { inBackground, backgroundEnded } from './background.ts';
export { findPrograms } from './binaries/find.ts';
export { createAuthority } from './certificates/authority.ts';
export type { ControlPlane, User } from './control-plane.ts';
export { ControlPlaneError } from './errors.ts';
export { eventually } from './eventually.ts';
export {
  disturbedControlPlane,
  forgetfulControlPlane,
  privateControlPlane,
  sharedControlPlane,
} from './mocha.ts';
export {
  type ApiResponse,
  type Credentials,
  exchange,
  open,
  type ApiRequest,
  request,
  requestOk,
} from './request.ts';
export type { RequestCounts } from './server-metrics.ts';
export type { Server } from './server.ts';
export { startControlPlane, type StartOptions } from './start.ts';
export { watch, type WatchEvent } from './watch.ts';
