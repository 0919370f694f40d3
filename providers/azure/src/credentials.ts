/** The credentials of the configuration, as the SDK takes them. Tokens are asked for when a call needs one. */
import { Agent as HttpAgent } from 'node:http';
import {
  ClientCertificateCredential,
  ClientSecretCredential,
  ManagedIdentityCredential,
  type TokenCredential,
  WorkloadIdentityCredential,
} from '@azure/identity';
import type { Agents } from '@tandem/provider/calls';
import { readCertificate } from './client-certificate.ts';
import { type Cloud, type CredentialSettings, readText } from './config/index.ts';

/**
 * Makes a credential without any token, for a tenant in place of that of the settings where one is given. A
 * token that Azure no longer takes goes with its credential.
 */
export type CredentialSource = (cloud: Cloud, tenantId?: string) => TokenCredential;

/** Reads what the settings name now, so that a missing file is told at the start. */
export async function readCredentials(
  settings: CredentialSettings,
  agents: Agents,
): Promise<CredentialSource> {
  const optionsFor = ({ authorityHost, isPublished }: Cloud) => ({
    authorityHost,
    // Microsoft's directory of clouds is asked about published ones only.
    disableInstanceDiscovery: !isPublished,
    agent: agents.https,
    retryOptions: { maxRetries: 1 },
  });
  switch (settings.kind) {
    case 'workloadIdentity': {
      const { clientId, tokenFile: tokenFilePath } = settings;
      await readText('aadFederatedTokenFile', tokenFilePath);
      return (cloud, tenantId = settings.tenantId) =>
        new WorkloadIdentityCredential({
          ...optionsFor(cloud),
          tenantId,
          clientId,
          tokenFilePath,
        });
    }
    case 'managedIdentity':
      return () => managedIdentity(settings.identity);
    case 'clientSecret': {
      const { clientId, secret } = settings;
      return (cloud, tenantId = settings.tenantId) =>
        new ClientSecretCredential(tenantId, clientId, secret.reveal(), optionsFor(cloud));
    }
    case 'clientCertificate': {
      const certificate = await readCertificate(settings);
      return (cloud, tenantId = settings.tenantId) =>
        new ClientCertificateCredential(
          tenantId,
          settings.clientId,
          { certificate },
          optionsFor(cloud),
        );
    }
  }
}

/** The machine's own service answers, which no proxy reaches. */
function managedIdentity(identity: string | undefined): TokenCredential {
  const options = { agent: new HttpAgent() };
  if (identity === undefined) return new ManagedIdentityCredential(options);
  return identity.startsWith('/')
    ? new ManagedIdentityCredential({ ...options, resourceId: identity })
    : new ManagedIdentityCredential({ ...options, clientId: identity });
}
