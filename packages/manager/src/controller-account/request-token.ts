/**
 * Asks the API server for a token of a service account (TokenRequest). The server stores nothing, so a retry is always
 * safe. Answers and errors may contain the token, so they are neither logged nor shown.
 */
import { ApiError, type KubeClient } from '@tandem/kube/client';
import { CcmError, fieldOf } from '@tandem/runtime';
import { accountsManifest, ownManifest } from '../access/index.ts';

interface AccountName {
  readonly namespace: string;
  readonly name: string;
}

export interface AccountToken {
  readonly token: string;
  /** How long the token is valid, from the moment of the request. */
  readonly lifetimeMs: number;
}

/** The requested validity, which is upstream's. The server may shorten it. */
const askedSeconds = 3_600;
const limitMs = 10_000;

/** Rejects with an error that says what to do. */
export async function requestToken(
  client: KubeClient,
  { namespace, name }: AccountName,
): Promise<AccountToken> {
  const account = { group: '', version: 'v1', resource: 'serviceaccounts', namespace, name };
  try {
    const { body } = await client.call({
      verb: 'create',
      resource: { ...account, subresource: 'token' },
      body: {
        apiVersion: 'authentication.k8s.io/v1',
        kind: 'TokenRequest',
        spec: { expirationSeconds: askedSeconds },
      },
      limitMs,
      retries: false,
    });
    return tokenIn(JSON.parse(new TextDecoder().decode(body)));
  } catch (err) {
    const status = err instanceof ApiError ? ` (${err.status.code})` : '';
    throw new CcmError(
      `Could not get a token for the service account ${namespace}/${name}${status}. ` +
        `Apply ${accountsManifest} in place of ${ownManifest}, or remove --use-service-account-credentials.`,
      { code: 'ControllerTokenUnavailable', retry: 'backoff', effect: 'none', cause: err },
    );
  }
}

function tokenIn(answer: unknown): AccountToken {
  const token = fieldOf(fieldOf(answer, 'status'), 'token');
  const seconds = fieldOf(fieldOf(answer, 'spec'), 'expirationSeconds');
  if (typeof token !== 'string' || token === '' || typeof seconds !== 'number') {
    throw new TypeError('The API server returned no token');
  }
  return { token, lifetimeMs: seconds * 1_000 };
}
