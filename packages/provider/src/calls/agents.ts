/**
 * Makes the connections for calls to a cloud. They are kept open and use the proxy that `HTTPS_PROXY`, `HTTP_PROXY` and
 * `NO_PROXY` of the given environment name, in upper or lower case. SDKs ignore these variables, or read them only from
 * the process environment. Node.js ignores a proxy without a scheme or with one that it does not know, does not name the
 * variable of a malformed one or repeats its password, and has rules of its own for `NO_PROXY`, so this file reads them
 * first.
 */
import { Agent as HttpAgent } from 'node:http';
import { Agent as HttpsAgent } from 'node:https';
import type { Environment } from '@tandem/runtime';
import { nodeNoProxy } from './no-proxy.ts';

export interface Agents {
  readonly http: HttpAgent;
  readonly https: HttpsAgent;
}

export function createAgents(environment: Environment): Agents {
  // Node.js reads the lower-case name first.
  const no_proxy = nodeNoProxy(environment['no_proxy'] || environment['NO_PROXY'] || '');
  const proxyEnv = { ...environment, ...proxiesOf(environment), no_proxy };
  const options = { keepAlive: true, proxyEnv };
  return { http: new HttpAgent(options), https: new HttpsAgent(options) };
}

function proxiesOf(environment: Environment): Record<string, string> {
  const given = ['HTTPS_PROXY', 'https_proxy', 'HTTP_PROXY', 'http_proxy'].flatMap(
    (name): [string, string][] => {
      const value = environment[name];
      return value ? [[name, proxyOf(name, value)]] : [];
    },
  );
  return Object.fromEntries(given);
}

/** As for other programs, a proxy without a scheme is an http proxy. */
function proxyOf(name: string, value: string): string {
  const text = value.includes('://') ? value : `http://${value}`;
  const url = URL.parse(text);
  if (url !== null && /^https?:$/.test(url.protocol) && isEncoded(url)) return text;
  // The message does not quote the value, because it may contain a password.
  throw new Error(
    `${name} is not the URL of an http or https proxy, such as http://proxy.example.com:3128`,
  );
}

/** Whether Node.js can decode the name and the password in the URL. */
function isEncoded({ username, password }: URL): boolean {
  try {
    decodeURIComponent(`${username}:${password}`);
    return true;
  } catch {
    return false;
  }
}
