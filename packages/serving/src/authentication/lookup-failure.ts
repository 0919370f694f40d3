/**
 * Explains why the cluster's ConfigMap on authentication could not be read when the secure port opened, and what to do:
 * an API server that is away may come back, a missing role has to be bound.
 */
import { ApiError } from '@tandem/kube/client';
import { type CredentialsOrigin, refusedMsMax } from '@tandem/kube/credentials';
import { CcmError } from '@tandem/runtime';
import { ServingError } from '../serving-error.ts';
import { authenticationConfigMap } from './cluster-authentication.ts';

export function lookupFailed(err: unknown, origin: CredentialsOrigin): ServingError {
  const { namespace, name } = authenticationConfigMap;
  const what = `the ConfigMap ${namespace}/${name}`;
  const reason = reasonOf(err);
  if (isRefusedIdentity(err)) {
    const seconds = refusedMsMax / 1_000;
    return new ServingError('AuthenticationLookupFailed', {
      problem: `The API server refused the credentials of ${origin.name} for ${seconds} s (${reason}) when asked for ${what}.`,
      fix: `${origin.remedy} Or pass ${tolerate} to start without the ConfigMap.`,
      retry: 'backoff',
    });
  }
  if (canPass(err)) {
    return new ServingError('AuthenticationLookupFailed', {
      problem: `Cannot reach the API server to look up ${what} (${reason}).`,
      fix: `Start again when the API server answers, or pass ${tolerate} to start without the ConfigMap.`,
      retry: 'backoff',
    });
  }
  return new ServingError('AuthenticationLookupFailed', {
    problem: `Cannot look up ${what} (${reason}).`,
    fix: `${fixOf(err)}, or pass ${tolerate} or --authentication-skip-lookup.`,
  });
}

/** Returns only a code, because the message of a parser would quote the map. */
export function reasonOf(err: unknown): string {
  if (err instanceof ApiError) return `${err.code} ${err.status.code}`;
  return err instanceof Error && 'code' in err && typeof err.code === 'string'
    ? err.code
    : 'the answer cannot be read';
}

const tolerate = '--authentication-tolerate-lookup-failure';

/** Returns whether the API server refused the credentials themselves. */
export function isRefusedIdentity(err: unknown): boolean {
  return err instanceof ApiError && err.status.code === 401;
}

function canPass(err: unknown): boolean {
  return err instanceof CcmError && err.retry !== 'never';
}

function fixOf(err: unknown): string {
  switch (err instanceof ApiError ? err.status.code : undefined) {
    case 403:
      return 'Bind the role extension-apiserver-authentication-reader in kube-system to the manager';
    case 404:
      return 'Start the API server with --client-ca-file, so that it publishes the ConfigMap';
    default:
      return 'Check the server in --authentication-kubeconfig';
  }
}
