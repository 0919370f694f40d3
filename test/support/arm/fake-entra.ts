/**
 * A fake of Microsoft Entra as far as an application gets tokens for itself: discovery, and the token
 * endpoint with a client secret, a signed assertion of a client certificate, or a federated token of a
 * cluster's service account.
 */
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { KeyPair } from '@tandem/serving/certificates';
import type { Issuer } from './access.ts';
import {
  type FakeClient,
  type Form,
  type Refusal,
  refusalOf,
  unknownTenant,
} from './client-proof.ts';
import type { Fault } from './faults.ts';
import { bodyOf, LoopbackServer } from '../loopback-server.ts';

interface Answer {
  readonly status: number;
  readonly json: unknown;
  readonly headers?: Readonly<Record<string, string>>;
}

export class FakeEntra extends LoopbackServer implements Issuer {
  readonly tenant = '44444444-4444-4444-8444-444444444444';
  /** Others in which the application is, too, with the same credentials. */
  readonly otherTenants: Set<string> = new Set();
  readonly audience = 'https://management.azure.example/';
  client: FakeClient = {
    id: '55555555-5555-4555-8555-555555555555',
    secret: 'the-secret-of-the-client',
  };
  lifetimeSeconds = 3_600;
  /** Of every call, until it is taken away. */
  fault: Exclude<Fault, { readonly kind: 'empty' | 'lose' }> | undefined;
  readonly requests: { readonly path: string; readonly form: Form }[] = [];
  readonly #tokens = new Map<
    string,
    { readonly audience: string; readonly tenant: string; isExpired: boolean }
  >();

  static start(tls: KeyPair): Promise<FakeEntra> {
    return new FakeEntra(tls).listen();
  }

  problemOf(token: string): 'unknown' | 'expired' | 'audience' | undefined {
    const known = this.#tokens.get(token);
    if (known === undefined) return 'unknown';
    if (known.isExpired) return 'expired';
    return known.audience === this.audience ? undefined : 'audience';
  }

  /** ARM refuses all tokens so far. */
  expireTokens(): void {
    for (const token of this.#tokens.values()) token.isExpired = true;
  }

  /** A token for a resource; the metadata service gives such ones too. */
  issue(audience: string, tenant: string = this.tenant): string {
    const token = `token-${this.#tokens.size + 1}-of-entra`;
    this.#tokens.set(token, { audience, tenant, isExpired: false });
    return token;
  }

  /** Whose principal an `Authorization` header shows. */
  tenantOf(authorization: string | undefined): string | undefined {
    return this.#tokens.get(authorization?.replace(/^Bearer /, '') ?? '')?.tenant;
  }

  protected async answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const form = Object.fromEntries(new URLSearchParams(await bodyOf(request)));
    const { pathname } = new URL(request.url ?? '', this.url);
    this.requests.push({ path: pathname, form });
    const { fault } = this;
    if (fault?.kind === 'hang') return;
    if (fault?.kind === 'reset') return void request.socket.destroy();
    if (fault?.kind === 'garbage') return void response.end('<html>Gateway</html>');
    const { status, json, headers } =
      fault?.kind === 'refuse'
        ? faultAnswer(fault)
        : this.#reply(request.method ?? '', pathname, form);
    const type = { 'content-type': 'application/json' };
    response.writeHead(status, { ...type, ...headers }).end(JSON.stringify(json));
  }

  #reply(method: string, path: string, form: Form): Answer {
    const [, tenant = '', ...rest] = path.split('/');
    const base = `${this.url}/${tenant}`;
    const endpoint = `${base}/oauth2/v2.0/token`;
    if (tenant !== this.tenant && !this.otherTenants.has(tenant))
      return refuse(unknownTenant(tenant));
    switch (`${method} ${rest.join('/')}`) {
      case 'GET v2.0/.well-known/openid-configuration':
        return {
          status: 200,
          json: {
            issuer: `${base}/v2.0`,
            authorization_endpoint: `${base}/oauth2/v2.0/authorize`,
            token_endpoint: endpoint,
            jwks_uri: `${base}/discovery/v2.0/keys`,
          },
        };
      case 'POST oauth2/v2.0/token': {
        const { client, audience, lifetimeSeconds: lifetime } = this;
        const refusal = refusalOf(form, { client, audience, endpoint });
        if (refusal !== undefined) return refuse(refusal);
        const lifetimes = { expires_in: lifetime, ext_expires_in: lifetime };
        const token = { token_type: 'Bearer', access_token: this.issue(audience, tenant) };
        return { status: 200, json: { ...token, ...lifetimes } };
      }
      default:
        return { status: 404, json: { error: 'not_found', error_description: path } };
    }
  }
}

function faultAnswer({ error }: Extract<Fault, { kind: 'refuse' }>): Answer {
  const { status, code, message, headers } = error;
  return { status, json: { error: code, error_description: message }, headers };
}

function refuse({ status, error, code, message }: Refusal): Answer {
  const error_description = `AADSTS${code}: ${message} Trace ID: trace Correlation ID: correlation`;
  return { status, json: { error, error_description, error_codes: [code] } };
}
