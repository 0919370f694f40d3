/** How an application proves to Entra who it is, and what Entra says where it does not. */
import { constants, createHash, type KeyObject, verify } from 'node:crypto';

export interface FakeClient {
  readonly id: string;
  readonly secret?: string;
  /** The certificate in DER, and the public key that its owner proves to have. */
  readonly certificate?: { readonly der: Uint8Array; readonly publicKey: KeyObject };
  /** The token of a service account that is trusted. */
  readonly federatedToken?: string;
}

export type Form = Readonly<Record<string, string>>;

export interface Refusal {
  readonly status: 400 | 401;
  readonly error: string;
  /** The number after AADSTS. */
  readonly code: number;
  readonly message: string;
}

interface Wanted {
  readonly client: FakeClient;
  readonly audience: string;
  /** The token endpoint: assertions are made for it. */
  readonly endpoint: string;
}

export function refusalOf(form: Form, { client, audience, endpoint }: Wanted): Refusal | undefined {
  const { client_id, scope = '', grant_type, client_secret, client_assertion } = form;
  if (grant_type !== 'client_credentials') {
    const message = 'The app requested an unsupported grant type.';
    return { status: 400, error: 'unsupported_grant_type', code: 70003, message };
  }
  if (client_id !== client.id) {
    const message = `Application with identifier '${client_id}' was not found in the directory.`;
    return { status: 400, error: 'unauthorized_client', code: 700016, message };
  }
  if (!scope.split(' ').includes(`${audience}.default`)) {
    const message = `The resource principal named ${scope} was not found in the tenant.`;
    return { status: 400, error: 'invalid_resource', code: 500011, message };
  }
  if (client_assertion !== undefined) return refusalOfAssertion(client_assertion, client, endpoint);
  if (client_secret !== undefined && client_secret === client.secret) return undefined;
  const message =
    'Invalid client secret provided. Ensure the secret being sent in the request is the client secret value, not the client secret ID.';
  return { status: 401, error: 'invalid_client', code: 7000215, message };
}

export const unknownTenant = (tenant: string): Refusal => ({
  status: 400,
  error: 'invalid_request',
  code: 90002,
  message: `Tenant '${tenant}' not found. Check to make sure you have the correct tenant ID.`,
});

function refusalOfAssertion(
  assertion: string,
  { id, federatedToken, certificate }: FakeClient,
  endpoint: string,
): Refusal | undefined {
  if (assertion === federatedToken) return undefined;
  if (certificate === undefined) {
    const message = 'No matching federated identity record found for presented assertion.';
    return { status: 400, error: 'invalid_request', code: 70021, message };
  }
  if (isSignedBy(certificate, assertion, { endpoint, id })) return undefined;
  const message =
    'The certificate with identifier used to sign the client assertion is not registered on application.';
  return { status: 401, error: 'invalid_client', code: 700027, message };
}

function isSignedBy(
  { der, publicKey }: NonNullable<FakeClient['certificate']>,
  assertion: string,
  { endpoint, id }: { readonly endpoint: string; readonly id: string },
): boolean {
  const [head = '', claims = '', signature = ''] = assertion.split('.');
  if (signature === '') return false;
  const header = decode(head);
  const { aud, iss, sub } = decode(claims);
  const thumbprint = createHash('sha256').update(der).digest('base64url');
  const padding = constants.RSA_PKCS1_PSS_PADDING;
  const pss = { key: publicKey, padding, saltLength: constants.RSA_PSS_SALTLEN_DIGEST };
  const key = header['alg'] === 'PS256' ? pss : publicKey;
  const isFromClient = aud === endpoint && iss === id && sub === id;
  const signed = Buffer.from(`${head}.${claims}`);
  return (
    isFromClient &&
    header['x5t#S256'] === thumbprint &&
    verify('sha256', signed, key, Buffer.from(signature, 'base64url'))
  );
}

function decode(part: string): Record<string, unknown> {
  return JSON.parse(Buffer.from(part, 'base64url').toString());
}
