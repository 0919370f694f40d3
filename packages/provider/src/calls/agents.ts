/**
 * Connections for calls to a cloud: kept open, and through the proxy that `HTTPS_PROXY`, `HTTP_PROXY` and
 * `NO_PROXY` of the given environment name, in either case. SDKs do not look for one, or only in the process.
 */
import { Agent as HttpAgent } from 'node:http';
import { Agent as HttpsAgent } from 'node:https';
import type { Environment } from '@tandem/runtime';

export interface Agents {
  readonly http: HttpAgent;
  readonly https: HttpsAgent;
}

export function createAgents(environment: Environment): Agents {
  const options = { keepAlive: true, proxyEnv: { ...environment } };
  return { http: new HttpAgent(options), https: new HttpsAgent(options) };
}
