/** Where credentials come from: the chain of the SDK, in a process with the variables that each of its links reads. */
import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import {
  anInstance,
  FakeEC2,
  FakeMetadata,
  FakeSTS,
  withInstance,
} from '../../../test/support/ec2/index.ts';
import { dualStackConfig } from './aws.fixture.ts';

const accessKeyId = 'ASIAROLE';
const credentials = {
  AccessKeyId: accessKeyId,
  SecretAccessKey: 'secret-of-the-role',
  Token: 'session-of-the-role',
  Expiration: '2099-01-01T00:00:00Z',
};
const withoutMetadata = { AWS_EC2_METADATA_DISABLED: 'true' };

describe('credentials of the manager', () => {
  let ec2: FakeEC2;
  let folder: string;
  beforeEach(async () => {
    ec2 = await FakeEC2.start();
    ec2.accessKeyId = accessKeyId;
    ec2.state = withInstance(ec2.state, anInstance(1));
    folder = await mkdtemp(join(tmpdir(), 'tandem-credentials-'));
    await writeFile(join(folder, 'cloud.conf'), dualStackConfig);
  });
  afterEach(async () => {
    await ec2.close();
    await rm(folder, { recursive: true });
  });

  const lookUp = async (variables: Record<string, string>): Promise<string> => {
    const probe = join(import.meta.dirname, 'credentials-probe.fixture.ts');
    const words = [probe, join(folder, 'cloud.conf'), ec2.url, anInstance(1).id];
    const env = { HOME: folder, ...variables };
    return (await promisify(execFile)(process.execPath, words, { env })).stdout;
  };
  const write = async (name: string, text: string): Promise<string> => {
    await writeFile(join(folder, name), text);
    return join(folder, name);
  };

  it('are those of its environment', async () => {
    const secret = { AWS_SECRET_ACCESS_KEY: 'secret' };
    const variables = { AWS_ACCESS_KEY_ID: accessKeyId, ...secret, ...withoutMetadata };
    assert.equal(await lookUp(variables), 'found');
  });

  it('are those of a shared file', async () => {
    const keys = `aws_access_key_id=${accessKeyId}\naws_secret_access_key=secret\n`;
    const file = await write('credentials', `[nodes]\n${keys}`);
    const variables = { AWS_SHARED_CREDENTIALS_FILE: file, AWS_PROFILE: 'nodes' };
    assert.equal(await lookUp({ ...variables, ...withoutMetadata }), 'found');
  });

  it('are those of its service account (IRSA)', async () => {
    const arn = 'arn:aws:iam::123456789012:role/manager';
    await using sts = await FakeSTS.start({ arn, assumedBy: 'token', accessKeyId });
    const variables = {
      AWS_ROLE_ARN: arn,
      AWS_WEB_IDENTITY_TOKEN_FILE: await write('token', 'token'),
      AWS_ENDPOINT_URL_STS: sts.url,
      AWS_REGION: 'eu-west-1',
    };
    assert.equal(await lookUp({ ...variables, ...withoutMetadata }), 'found');
  });

  it('are those of EKS Pod Identity', async () => {
    const server = createServer(({ headers }, response) => {
      const isAllowed = headers.authorization === 'token-of-the-pod';
      response.writeHead(isAllowed ? 200 : 403, { 'content-type': 'application/json' });
      response.end(isAllowed ? JSON.stringify(credentials) : '{}');
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    const address = server.address();
    assert(address !== null && typeof address === 'object');
    const variables = {
      AWS_CONTAINER_CREDENTIALS_FULL_URI: `http://127.0.0.1:${address.port}/v1/credentials`,
      AWS_CONTAINER_AUTHORIZATION_TOKEN_FILE: await write('pod-token', 'token-of-the-pod'),
    };
    assert.equal(await lookUp({ ...variables, ...withoutMetadata }), 'found');
    server.close();
  });

  it('are those of the instance that it runs on', async () => {
    await using metadata = await FakeMetadata.start({
      'iam/security-credentials/': 'node-role',
      'iam/security-credentials/node-role': JSON.stringify({ Code: 'Success', ...credentials }),
    });
    assert.equal(await lookUp({ AWS_EC2_METADATA_SERVICE_ENDPOINT: metadata.url }), 'found');
  });

  it('are missed by name where there are none', async () => {
    assert.match(await lookUp(withoutMetadata), /^DescribeInstances of EC2 needs credentials/);
  });
});
