/** Makes the SDK's credential objects from the configuration. A credential requests a token when a call needs one. */
import { Agent as HttpAgent } from 'node:http';
import type { PipelinePolicy } from '@azure/core-rest-pipeline';
import {
  ClientCertificateCredential,
  ClientSecretCredential,
  ManagedIdentityCredential,
  type TokenCredential,
  type TokenCredentialOptions,
  WorkloadIdentityCredential,
} from '@azure/identity';
import type { Agents } from '@tandem/provider/calls';
import { type Clock, withDeadline } from '@tandem/runtime';
import { readCertificate } from './client-certificate.ts';
import { type Cloud, type CredentialSettings, readText } from './config/index.ts';

/**
 * Makes a credential that has no token yet. `tenantId` overrides the tenant of the settings. To discard a token that
 * Azure no longer accepts, the provider discards the credential.
 */
export type CredentialSource = (cloud: Cloud, tenantId?: string) => TokenCredential;

/**
 * The deadline of a request for a token. All calls wait for one such request, and the SDK sets no limit of its own:
 * without one, a single lost answer would stop the provider until it restarts.
 */
const tokenDeadlineMs = 10_000;

/** Reads the files that the settings name at once, so that a missing file is reported at start. */
export async function readCredentials(
  settings: CredentialSettings,
  { agents, clock }: { readonly agents: Agents; readonly clock: Clock },
): Promise<CredentialSource> {
  const additionalPolicies = [{ policy: tokenDeadline(clock), position: 'perRetry' as const }];
  const optionsFor = ({ authorityHost, isPublished }: Cloud) => ({
    authorityHost,
    // Microsoft's directory of clouds knows only the published clouds.
    disableInstanceDiscovery: !isPublished,
    agent: agents.https,
    retryOptions: { maxRetries: 1 },
    additionalPolicies,
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
      return () => managedIdentity(settings.identity, additionalPolicies);
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

/** Makes a managed identity. Its tokens come from the machine's own metadata service, so the calls bypass the proxy. */
function managedIdentity(
  identity: string | undefined,
  additionalPolicies: NonNullable<TokenCredentialOptions['additionalPolicies']>,
): TokenCredential {
  const options = { agent: new HttpAgent(), additionalPolicies };
  if (identity === undefined) return new ManagedIdentityCredential(options);
  return identity.startsWith('/')
    ? new ManagedIdentityCredential({ ...options, resourceId: identity })
    : new ManagedIdentityCredential({ ...options, clientId: identity });
}

function tokenDeadline(clock: Clock): PipelinePolicy {
  return {
    name: 'tandemTokenDeadline',
    sendRequest: (request, next) =>
      withDeadline({ clock, limitMs: tokenDeadlineMs }, (signal) => {
        request.abortSignal = signal;
        return next(request);
      }),
  };
}
