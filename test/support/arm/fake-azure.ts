/** All of the fake together: ARM and Entra over TLS with one authority, and the metadata service. */
import { getCACertificates, setDefaultCACertificates } from 'node:tls';
import { systemClock } from '@tandem/runtime';
import { createAuthority } from '../../control-plane/index.ts';
import { subscription } from './changes.ts';
import { FakeArm } from './fake-arm.ts';
import { FakeEntra } from './fake-entra.ts';
import { FakeIdentityMetadata } from './fake-identity-metadata.ts';

export class FakeAzure implements AsyncDisposable {
  readonly arm: FakeArm;
  readonly entra: FakeEntra;
  readonly metadata: FakeIdentityMetadata;
  /** The certificate of the authority that clients have to trust, PEM. */
  readonly ca: string;

  private constructor(parts: Pick<FakeAzure, 'arm' | 'entra' | 'metadata' | 'ca'>) {
    this.arm = parts.arm;
    this.entra = parts.entra;
    this.metadata = parts.metadata;
    this.ca = parts.ca;
  }

  static async start(): Promise<FakeAzure> {
    const authority = createAuthority('tandem fake azure', systemClock.now());
    const tls = authority.issue({
      commonName: 'azure',
      hosts: ['127.0.0.1', 'localhost'],
      uses: ['serverAuth'],
    });
    const entra = await FakeEntra.start(tls);
    const arm = await FakeArm.start(tls, entra);
    const metadata = await FakeIdentityMetadata.start(entra);
    return new FakeAzure({ arm, entra, metadata, ca: authority.cert });
  }

  async close(): Promise<void> {
    await Promise.all([this.arm, this.entra, this.metadata].map((each) => each.close()));
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.close();
  }

  /** Has this process trust the fake until it is disposed of; other processes take NODE_EXTRA_CA_CERTS. */
  trust(): Disposable {
    const before = getCACertificates('default');
    setDefaultCACertificates([...before, this.ca]);
    return { [Symbol.dispose]: () => setDefaultCACertificates(before) };
  }

  /** The content of azure.json, for a cluster that lies in the resource group `blue`. */
  config(changes: Readonly<Record<string, unknown>> = {}): Record<string, unknown> {
    return {
      resourceManagerEndpoint: this.arm.url,
      tenantId: this.entra.tenant,
      subscriptionId: subscription,
      resourceGroup: 'blue',
      location: 'westeurope',
      routeTableName: 'blue',
      aadClientId: this.entra.client.id,
      aadClientSecret: this.entra.client.secret,
      ...changes,
    };
  }

  /** The content of the file that AZURE_ENVIRONMENT_FILEPATH names, for `cloud: AzureStackCloud`. */
  get environmentFile(): Record<string, string> {
    return {
      name: 'AzureStackCloud',
      resourceManagerEndpoint: `${this.arm.url}/`,
      activeDirectoryEndpoint: `${this.entra.url}/`,
      tokenAudience: this.entra.audience,
    };
  }

  /** What sends managed identities to the fake. */
  get environment(): Record<string, string> {
    return { AZURE_POD_IDENTITY_AUTHORITY_HOST: this.metadata.url };
  }
}
