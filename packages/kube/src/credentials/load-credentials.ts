/**
 * Finds the server and the identity, in kubectl's order: the named kubeconfig, those of KUBECONFIG, the
 * one at home, the service account of a pod. The first that exists counts; an error in it is reported at
 * once, and no other source is tried. A named address overrides the found one, and suffices by itself.
 */
import { access } from 'node:fs/promises';
import { isIPv6 } from 'node:net';
import { delimiter, join } from 'node:path';
import { type Clock, type Environment, errorCodeOf } from '@tandem/runtime';
import { createCredentials } from './create-credentials.ts';
import { CredentialsError, type FoundCredentials } from './credentials.ts';
import type { CredentialsTelemetry } from './refresh-telemetry.ts';
import type { FoundKubeconfigs } from './read-kubeconfigs.ts';
import { checkServerAddress } from './server-address.ts';
import { anonymousSettings, type ConnectionSettings } from './settings.ts';

export interface LoadOptions {
  /** The path that a flag names. */
  readonly kubeconfig?: string | undefined;
  /** The flag that names it, for errors. Default: `--kubeconfig`. */
  readonly kubeconfigFlag?: string | undefined;
  /** Another context than the kubeconfig's current one. */
  readonly context?: string | undefined;
  /**
   * The server address of `--master`, instead of the found one. Without credentials, requests are
   * anonymous.
   */
  readonly server?: string | undefined;
  /**
   * Where to look without a path: `everywhere` as kubectl does. An unattended server looks in the `pod`
   * only, so that it never works on the cluster that a user last selected.
   */
  readonly search?: 'everywhere' | 'pod';
  readonly environment: Environment;
  readonly clock: Clock;
  /** Reports credentials that cannot be refreshed. */
  readonly telemetry?: CredentialsTelemetry;
  /** The directory of the service account; tests use another one. */
  readonly serviceAccountDirectory?: string;
}

const kubeconfigFlagDefault = '--kubeconfig';

export async function loadCredentials(options: LoadOptions): Promise<FoundCredentials> {
  const { environment, clock, telemetry, kubeconfigFlag = kubeconfigFlagDefault } = options;
  const origin = { where: '--master', code: 'ServerAddressInvalid' } as const;
  const server =
    options.server === undefined ? undefined : checkServerAddress(options.server, origin);
  const reread = (): Promise<ConnectionSettings> => findSettings({ ...options, server });
  const flag = kubeconfigFlag.replace(/^--/, '');
  const follow = { clock, environment, telemetry, flag, reread };
  const credentials = createCredentials(await reread(), follow);
  // Checks certificates, tokens and plug-ins now, so that errors appear at once.
  await credentials.identity();
  return credentials;
}

/**
 * The names of all contexts of the kubeconfig that would be read, in its order. Empty if the service account of a pod
 * would be used instead. Does not try any credentials.
 */
export async function contextNames(
  options: Pick<LoadOptions, 'kubeconfig' | 'environment'>,
): Promise<readonly string[]> {
  const found = await findKubeconfigs(options);
  if (found === undefined) return [];
  const { readContextNames } = await import('./read-kubeconfigs.ts');
  return readContextNames(found);
}

async function findSettings(options: LoadOptions): Promise<ConnectionSettings> {
  const { context, server, environment } = options;
  const found = await findKubeconfigs(options);
  if (found !== undefined) {
    // Pods have no kubeconfig, so its reader is loaded on demand.
    const { readKubeconfigs } = await import('./read-kubeconfigs.ts');
    return readKubeconfigs(found, { context, server });
  }
  const directory = options.serviceAccountDirectory ?? serviceAccountDirectory;
  const inCluster = inClusterSettings(environment, directory);
  if (inCluster !== undefined) return { ...inCluster, server: server ?? inCluster.server };
  if (server !== undefined) return anonymousSettings(server);
  throw options.search === 'pod' ? notInAPod() : nothingAnywhere(pathAtHome(environment));
}

async function findKubeconfigs({
  kubeconfig,
  kubeconfigFlag = kubeconfigFlagDefault,
  search,
  environment,
}: Pick<LoadOptions, 'kubeconfig' | 'kubeconfigFlag' | 'search' | 'environment'>): Promise<
  FoundKubeconfigs | undefined
> {
  if (kubeconfig !== undefined) return { files: [kubeconfig], namedBy: kubeconfigFlag };
  if (search === 'pod') return undefined;
  const listed = (environment['KUBECONFIG'] ?? '').split(delimiter).filter((path) => path !== '');
  if (listed.length > 0) return { files: await existing(listed), namedBy: 'KUBECONFIG' };
  const files = await existingOf([pathAtHome(environment)]);
  return files.length === 0 ? undefined : { files, namedBy: 'kubeconfig' };
}

function pathAtHome(environment: Environment): string {
  return join(environment['HOME'] ?? '/', '.kube', 'config');
}

function nothingAnywhere(atHome: string): CredentialsError {
  return new CredentialsError('KubeconfigMissing', {
    problem: `No kubeconfig found: --kubeconfig and KUBECONFIG are not set, ${atHome} does not exist, and this program does not run in a pod.`,
    fix: 'Set --kubeconfig or KUBECONFIG.',
  });
}

function notInAPod(): CredentialsError {
  return new CredentialsError('KubeconfigMissing', {
    problem:
      'No kubeconfig found: --kubeconfig is not set, and this program does not run in a pod.',
    fix: 'Set --kubeconfig. This program does not read KUBECONFIG or ~/.kube/config.',
  });
}

/** As in client-go, a list may name missing files, but at least one file must exist. */
async function existing(listed: readonly string[]): Promise<readonly string[]> {
  const found = await existingOf(listed);
  if (found.length > 0) return found;
  throw new CredentialsError('KubeconfigMissing', {
    problem: `No file that KUBECONFIG names exists: ${listed.join(', ')}.`,
    fix: 'Set KUBECONFIG to the path of a kubeconfig, or unset it.',
  });
}

async function existingOf(paths: readonly string[]): Promise<readonly string[]> {
  const checks = await Promise.all(
    paths.map((path) =>
      access(path).then(
        () => [path],
        (err: unknown) => (errorCodeOf(err) === 'ENOENT' ? [] : [path]),
      ),
    ),
  );
  return checks.flat();
}

const serviceAccountDirectory = '/var/run/secrets/kubernetes.io/serviceaccount';

/**
 * The settings of a pod: the address of the API server in variables, and a token that the kubelet rotates and the
 * certificate authority in files. `undefined` outside a pod.
 */
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
