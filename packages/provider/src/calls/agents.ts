/**
 * Makes the connections for calls to a cloud. They are kept open and use the proxy that `HTTPS_PROXY`, `HTTP_PROXY` and
 * `NO_PROXY` of the given environment name, in upper or lower case. SDKs ignore these variables, or read them only from
 * the process environment.
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
