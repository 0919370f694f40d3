/**
 * Chooses the credentials in upstream's order: workload identity, managed identity, client secret, client certificate.
 * The webhook of workload identity sets environment variables, which override the file.
 */
import { quote } from '@tandem/core/node-address';
import type { Environment } from '@tandem/runtime';
import { type Fields, isTenant } from './fields.ts';
import type { Secret } from './secret.ts';

export type CredentialSettings =
  | {
      readonly kind: 'workloadIdentity';
      readonly tenantId: string;
      readonly clientId: string;
      readonly tokenFile: string;
    }
  /** `identity` is a client id or a resource id; undefined for the machine's own identity. */
  | { readonly kind: 'managedIdentity'; readonly identity: string | undefined }
  | {
      readonly kind: 'clientSecret';
      readonly tenantId: string;
      readonly clientId: string;
      readonly secret: Secret;
    }
  | {
      readonly kind: 'clientCertificate';
      readonly tenantId: string;
      readonly clientId: string;
      readonly path: string;
      readonly password: Secret | undefined;
    };

/** The file in which the webhook of workload identity puts the token. */
const tokenFileDefault = '/var/run/secrets/azure/tokens/azure-identity-token';

/** Returns undefined if the fields have no usable credentials, and adds the problems to `fields`. */
export function readCredential(
  fields: Fields,
  environment: Environment,
): CredentialSettings | undefined {
  const tenantId = environment['AZURE_TENANT_ID'] || fields.tenant('tenantId');
  if (tenantId !== undefined && !isTenant(tenantId)) {
    const problem = 'must be a GUID or the domain of a tenant';
    fields.problems.push(`the variable AZURE_TENANT_ID ${quote(tenantId)} ${problem}`);
  }
  const clientId = environment['AZURE_CLIENT_ID'] || fields.text('aadClientId');
  const secret = fields.secret('aadClientSecret');
  const path = fields.text('aadClientCertPath');
  const password = fields.secret('aadClientCertPassword');
  const ofWebhook = environment['AZURE_FEDERATED_TOKEN_FILE'] || undefined;
  const isFederated = fields.flag('useFederatedWorkloadIdentityExtension');
  const isManaged = fields.flag('useManagedIdentityExtension');
  const identity = fields.text('userAssignedIdentityID');
  const tokenFile = ofWebhook ?? fields.text('aadFederatedTokenFile') ?? tokenFileDefault;
  const isWorkload = isFederated || ofWebhook !== undefined;
  if (isManaged && !isWorkload) return { kind: 'managedIdentity', identity };
  if (!isWorkload && secret === undefined && path === undefined) {
    fields.problems.push(
      'no credentials are given: set useFederatedWorkloadIdentityExtension, useManagedIdentityExtension, ' +
        'aadClientSecret or aadClientCertPath',
    );
    return undefined;
  }
  if (tenantId === undefined) fields.require('tenantId');
  if (clientId === undefined) fields.require('aadClientId');
  if (tenantId === undefined || clientId === undefined) return undefined;
  const application = { tenantId, clientId };
  if (isWorkload) return { kind: 'workloadIdentity', ...application, tokenFile };
  if (secret !== undefined) return { kind: 'clientSecret', ...application, secret };
  if (path === undefined) return undefined;
  return { kind: 'clientCertificate', ...application, path, password };
}
