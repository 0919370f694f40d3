/** The credentials of the configuration, as the SDK takes them. Tokens are asked for when a call needs one. */
import { createPrivateKey } from 'node:crypto';
import { Agent as HttpAgent } from 'node:http';
import {
  ClientCertificateCredential,
  ClientSecretCredential,
  ManagedIdentityCredential,
  type TokenCredential,
  WorkloadIdentityCredential,
} from '@azure/identity';
import type { Agents } from '@tandem/provider/calls';
import { type Cloud, type CredentialSettings, invalid, readText } from './config/index.ts';

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

/** The SDK takes PEM with a key that is not encrypted. */
async function readCertificate(
  settings: CredentialSettings & { readonly kind: 'clientCertificate' },
): Promise<string> {
  const { path, password } = settings;
  const text = await readText('aadClientCertPath', path);
  const certificates = text.match(/-----BEGIN CERTIFICATE-----.+?-----END CERTIFICATE-----/gs);
  const key = /-----BEGIN (?:[A-Z]+ )*PRIVATE KEY-----.+?-----END (?:[A-Z]+ )*PRIVATE KEY-----/s;
  const ownKey = key.exec(text)?.[0];
  if (certificates === null || ownKey === undefined) {
    throw invalid(
      `aadClientCertPath: ${path} must have a certificate and its key in PEM form. Convert a PFX ` +
        `with openssl pkcs12 -in ${path} -nodes -out client.pem`,
    );
  }
  return [decrypt(ownKey, path, password?.reveal()), ...certificates].join('\n');
}

function decrypt(key: string, path: string, passphrase: string | undefined): string {
  try {
    const opened = createPrivateKey({ key, ...(passphrase !== undefined && { passphrase }) });
    return opened.export({ type: 'pkcs8', format: 'pem' }).toString();
  } catch {
    // What the library says may repeat the key.
    throw invalid(
      `aadClientCertPath: the key in ${path} cannot be opened. Check aadClientCertPassword`,
    );
  }
}
