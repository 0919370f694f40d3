/**
 * Why the cluster's word on authentication could not be had when the secure port was to open, and what to
 * do about that: an API server that is away needs no role, and a role that is missing does not come back.
 */
import { ApiError } from '@tandem/kube/client';
import { CcmError } from '@tandem/runtime';
import { ServingError } from '../serving-error.ts';
import { authenticationConfigMap } from './cluster-authentication.ts';

export function lookupFailed(err: unknown): ServingError {
  const { namespace, name } = authenticationConfigMap;
  const what = `the configmap ${namespace}/${name}`;
  const reason = reasonOf(err);
  if (canPass(err)) {
    return new ServingError('AuthenticationLookupFailed', {
      problem: `The API server cannot be reached to look up ${what} (${reason}).`,
      fix: `Start again once it answers, or give ${tolerate} to go on without.`,
      retry: 'backoff',
    });
  }
  return new ServingError('AuthenticationLookupFailed', {
    problem: `The API server was asked for ${what} in vain (${reason}).`,
    fix: `${fixOf(err)}, or give ${tolerate} or --authentication-skip-lookup.`,
  });
}

/** The code alone: a parser's message would quote the map. */
export function reasonOf(err: unknown): string {
  if (err instanceof ApiError) return `${err.code} ${err.status.code}`;
  return err instanceof Error && 'code' in err && typeof err.code === 'string'
    ? err.code
    : 'the answer cannot be read';
}

const tolerate = '--authentication-tolerate-lookup-failure';

function canPass(err: unknown): boolean {
  return err instanceof CcmError && err.retry !== 'never';
}

function fixOf(err: unknown): string {
  switch (err instanceof ApiError ? err.status.code : undefined) {
    case 401:
      return 'Give --authentication-kubeconfig credentials that the API server knows';
    case 403:
      return 'Bind the role extension-apiserver-authentication-reader in kube-system to the manager';
    case 404:
      return 'See why the API server does not publish it: it does with --client-ca-file';
    default:
      return 'See what --authentication-kubeconfig leads to';
  }
}
