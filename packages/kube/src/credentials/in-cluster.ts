/**
 * The credentials of a pod: the address of the API server in variables, and a token that the kubelet
 * rotates and the certificate authority in files.
 */
import { isIPv6 } from 'node:net';
import { join } from 'node:path';
import type { Environment } from '@tandem/runtime';
import { anonymousSettings, type ConnectionSettings } from './settings.ts';

export const serviceAccountDirectory = '/var/run/secrets/kubernetes.io/serviceaccount';

/** The settings of a pod; `undefined` outside a pod. */
export function inClusterSettings(
  environment: Environment,
  directory: string,
): ConnectionSettings | undefined {
  const host = environment['KUBERNETES_SERVICE_HOST'];
  const port = environment['KUBERNETES_SERVICE_PORT'];
  if (!host || !port) return undefined;
  const where = 'the service account of this pod';
  const token = join(directory, 'token');
  return {
    ...anonymousSettings(`https://${isIPv6(host) ? `[${host}]` : host}:${port}`),
    ca: { kind: 'file', path: join(directory, 'ca.crt'), where },
    token: { kind: 'file', path: token, where },
    origin: {
      name: `the token file ${token}`,
      remedy: 'Delete the pod so that its service account gives it a new one.',
    },
  };
}
