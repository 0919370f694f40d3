/**
 * Credentials of the service account of controllers. They use the address and the CA of the manager's credentials, and
 * nothing that identifies the manager: the API server would prefer a client certificate to the token.
 */
import type { Credentials, Identity, TlsMaterial } from '@tandem/kube/credentials';
import type { AccountTokens } from './account-tokens.ts';

export function accountCredentials(
  own: Credentials,
  tokens: Pick<AccountTokens, 'account' | 'get' | 'renew'>,
): Credentials {
  const identityOf = identities();
  return {
    server: own.server,
    origin: {
      name: `a token of the service account ${tokens.account}`,
      remedy: 'Check that this service account still exists.',
    },
    async identity() {
      const [{ tls }, token] = await Promise.all([own.identity(), tokens.get()]);
      return identityOf(tls, token);
    },
    async renew(refused) {
      const token = await tokens.renew(tokenOf(refused));
      if (token === undefined) return undefined;
      return identityOf((await own.identity()).tls, token);
    },
  };
}

const scheme = 'Bearer ';

function tokenOf({ headers }: Identity): string {
  return String(headers['authorization'] ?? '').slice(scheme.length);
}

/** Returns the same object while nothing changes, so that connections are kept. */
function identities(): (tls: TlsMaterial, token: string) => Identity {
  let trust: { readonly of: TlsMaterial; readonly tls: TlsMaterial } | undefined;
  let last: { readonly token: string; readonly identity: Identity } | undefined;
  return (of, token) => {
    if (trust?.of !== of) trust = { of, tls: { ...of, cert: undefined, key: undefined } };
    if (last?.token !== token || last.identity.tls !== trust.tls) {
      const headers = { authorization: `${scheme}${token}` };
      last = { token, identity: { tls: trust.tls, headers } };
    }
    return last.identity;
  };
}
