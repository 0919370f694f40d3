/** The fakes of Entra and of the metadata service, asked by the real credentials. */
import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { generateKeyPairSync, X509Certificate } from 'node:crypto';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import {
  ClientCertificateCredential,
  ClientSecretCredential,
  type TokenCredential,
  WorkloadIdentityCredential,
} from '@azure/identity';
import { ask } from './ask.ts';
import { ArmError, FakeAzure } from './index.ts';

const run = promisify(execFile);

/** The SDK finds the metadata service by the environment of its process. */
const askForToken = `
  import { ManagedIdentityCredential } from '@azure/identity';
  const [clientId, scope] = process.argv.slice(1);
  const credential = new ManagedIdentityCredential(clientId === '' ? {} : { clientId });
  process.stdout.write((await credential.getToken(scope)).token);
`;

describe('the fake of Entra', () => {
  let azure: FakeAzure;
  let trust: Disposable;
  let folder: string;

  beforeEach(async () => {
    azure = await FakeAzure.start();
    trust = azure.trust();
    folder = await mkdtemp(join(tmpdir(), 'fake-entra-'));
  });
  afterEach(async () => {
    trust[Symbol.dispose]();
    await azure.close();
    await rm(folder, { recursive: true });
  });

  const options = (): {
    authorityHost: string;
    disableInstanceDiscovery: true;
    retryOptions: { maxRetries: 0 };
  } => ({
    authorityHost: azure.entra.url,
    disableInstanceDiscovery: true,
    retryOptions: { maxRetries: 0 },
  });
  const isTaken = async (
    credential: TokenCredential,
    scope = `${azure.entra.audience}.default`,
  ): Promise<unknown> => {
    const { token = '' } = (await credential.getToken(scope)) ?? {};
    return azure.entra.problemOf(token) ?? 'taken';
  };
  const withSecret = (
    secret: string,
    tenant: string = azure.entra.tenant,
    id = azure.entra.client.id,
  ): TokenCredential => new ClientSecretCredential(tenant, id, secret, options());

  it('gives a token for the right secret, tenant, client and resource only', async () => {
    const secret = azure.entra.client.secret ?? '';
    assert.equal(await isTaken(withSecret(secret)), 'taken');
    await assert.rejects(isTaken(withSecret('wrong')), /AADSTS7000215/);
    await assert.rejects(
      isTaken(withSecret(secret, '99999999-9999-4999-8999-999999999999')),
      /AADSTS90002|endpoints_resolution/,
    );
    await assert.rejects(
      isTaken(withSecret(secret, azure.entra.tenant, 'stranger')),
      /AADSTS700016/,
    );
    await assert.rejects(
      isTaken(withSecret(secret), 'https://vault.azure.example/.default'),
      /AADSTS500011/,
    );
  });

  it('lets in one who signs with the private key of the client certificate', async () => {
    const { publicKey, privateKey } = generateKeyPairSync('rsa', { modulusLength: 2_048 });
    const certificatePath = join(folder, 'client.pem');
    const key = privateKey.export({ type: 'pkcs8', format: 'pem' }).toString();
    // Which certificate it is does not matter to either side, only its bytes and the key do.
    await writeFile(certificatePath, `${key}${azure.ca}`);
    const credential = (): TokenCredential =>
      new ClientCertificateCredential(
        azure.entra.tenant,
        azure.entra.client.id,
        { certificatePath },
        options(),
      );
    const der = new X509Certificate(azure.ca).raw;
    azure.entra.client = { id: azure.entra.client.id, certificate: { der, publicKey } };
    assert.equal(await isTaken(credential()), 'taken');
    const other = generateKeyPairSync('rsa', { modulusLength: 2_048 }).publicKey;
    azure.entra.client = { id: azure.entra.client.id, certificate: { der, publicKey: other } };
    await assert.rejects(isTaken(credential()), /AADSTS700027/);
  });

  it('lets in a service account whose token is trusted', async () => {
    const tokenFilePath = join(folder, 'token');
    await writeFile(tokenFilePath, 'token-of-a-service-account');
    azure.entra.client = {
      id: azure.entra.client.id,
      federatedToken: 'token-of-a-service-account',
    };
    const credential = (): TokenCredential =>
      new WorkloadIdentityCredential({
        tenantId: azure.entra.tenant,
        clientId: azure.entra.client.id,
        tokenFilePath,
        ...options(),
      });
    assert.equal(await isTaken(credential()), 'taken');
    await writeFile(tokenFilePath, 'token-of-another');
    await assert.rejects(isTaken(credential()), /AADSTS70021/);
  });

  it('gives tokens to the managed identities of a machine', async () => {
    const clientId = '66666666-6666-4666-8666-666666666666';
    const ofMachine = async (id: string, resource = azure.entra.audience): Promise<unknown> => {
      const { stdout } = await run(
        process.execPath,
        ['--input-type=module', '--eval', askForToken, id, `${resource}.default`],
        { env: azure.environment, cwd: import.meta.dirname },
      );
      return azure.entra.problemOf(stdout) ?? 'taken';
    };
    assert.equal(await ofMachine(''), 'taken');
    await assert.rejects(ofMachine(clientId), /Identity not found/);
    azure.metadata.identities.add(clientId);
    assert.equal(await ofMachine(clientId), 'taken');
    assert.equal(await ofMachine('', 'https://vault.azure.example/'), 'audience');
  });

  it('fails and expires tokens where a test wants it', async () => {
    const credential = withSecret(azure.entra.client.secret ?? '');
    const { token = '' } = (await credential.getToken(`${azure.entra.audience}.default`)) ?? {};
    azure.entra.expireTokens();
    assert.equal(azure.entra.problemOf(token), 'expired');
    const error = new ArmError(
      'temporarily_unavailable',
      'AADSTS90033: A transient error occurred.',
      { status: 503 },
    );
    azure.entra.fault = { kind: 'refuse', error };
    await assert.rejects(isTaken(withSecret(azure.entra.client.secret ?? '')));
  });

  it('is found through the endpoints of a custom cloud', async () => {
    const at = `${azure.arm.url}/metadata/endpoints`;
    const { json } = await ask(`${at}?api-version=2019-05-01`);
    const [cloud] = json as {
      authentication: { loginEndpoint: string; audiences: string[] };
    }[];
    assert.equal(cloud?.authentication.loginEndpoint, `${azure.entra.url}/`);
    assert.deepEqual(cloud?.authentication.audiences, [azure.entra.audience]);
    assert.equal((await ask(`${at}?api-version=1.0`)).status, 400);
  });
});
