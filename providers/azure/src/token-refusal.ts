/**
 * Explains why Entra ID issues no token. The explanation leaves out Entra ID's message, because it repeats what was
 * sent, and keeps its error code, because users search for it.
 */
import { printable } from '@tandem/core/node-address';
import { fieldOf } from '@tandem/provider/calls';

export interface TokenRefusal {
  /** Entra ID's code, such as `invalid_client (AADSTS7000215)`. */
  readonly azureCode: string;
  /** What is wrong and what to do, without a full stop at the end. */
  readonly why: string;
}

/** Returns undefined if the error is not a refusal, for example because Entra ID could not be reached. */
export function tokenRefusalOf(err: unknown): TokenRefusal | undefined {
  if (!isOfCredential(err)) return undefined;
  const status = fieldOf(err, 'statusCode');
  if (typeof status === 'number' && (status === 429 || status >= 500)) return undefined;
  const response = fieldOf(err, 'errorResponse');
  // `invalid_client: 7000215 - [Timestamp]: AADSTS7000215: Invalid client secret provided …`
  const text = textOf(fieldOf(response, 'errorDescription')) ?? err.message;
  const error = textOf(fieldOf(response, 'error')) ?? /^[a-z_]+(?=:)/.exec(err.message)?.[0];
  if (error !== undefined && transientErrors.has(error)) return undefined;
  const name = printable(error ?? err.name, 60);
  const number = /AADSTS(\d+)/.exec(text)?.[1];
  if (number === undefined) {
    return { azureCode: name, why: 'Check the credentials in --cloud-config' };
  }
  const why = sentences[number] ?? `See https://login.microsoftonline.com/error?code=${number}`;
  return { azureCode: `${name} (AADSTS${number})`, why };
}

/**
 * The SDK's code if it could not read the tenant's endpoints: the tenant does not exist, or Entra ID is unreachable.
 */
export const unresolved = 'endpoints_resolution_error';

export function isUnresolved(err: unknown): boolean {
  return isOfCredential(err) && err.message.startsWith(unresolved);
}

/** Advice for those of Entra ID's hundreds of codes that an application without a user can get. */
const sentences: Readonly<Record<string, string>> = {
  '7000215':
    'The client secret is wrong. Put the value of the secret, not its id, into aadClientSecret',
  '7000222': 'The client secret has expired. Create a new one and put it into aadClientSecret',
  '700016': 'The tenant has no such application. Check aadClientId and tenantId',
  '7000112': 'The application is disabled. Enable it in Entra ID',
  '90002': 'There is no such tenant. Check tenantId',
  '700027':
    'The certificate is not one of the application, or has expired. Add it to the application, or correct aadClientCertPath',
  '700024': 'The assertion is not valid now. Check the clock of this machine',
  '70021':
    'The application does not trust the service account. Add a federated credential with its issuer and subject',
  '700211':
    'The application does not trust the issuer of the service account. Correct the issuer of the federated credential',
  '700213':
    'The application does not trust the service account. Correct the subject of the federated credential',
  '500011': 'The tenant does not know the Resource Manager. Check cloud and tenantId',
  '53003': 'A Conditional Access policy blocks the application. Exclude it from that policy',
};

function isOfCredential(err: unknown): err is Error {
  return err instanceof Error && refusalNames.has(err.name);
}

const refusalNames = new Set([
  'AuthenticationError',
  'AuthenticationRequiredError',
  'CredentialUnavailableError',
]);

/** The codes of outages of Entra ID or of the network. */
const transientErrors = new Set([
  unresolved,
  'network_error',
  'server_error',
  'temporarily_unavailable',
]);

function textOf(value: unknown): string | undefined {
  return typeof value === 'string' ? value : undefined;
}
