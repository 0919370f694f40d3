/** Tests the SDK's credential chain, in a process with the variables that each of its sources reads. */
import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import {
  anInstance,
  FakeEC2,
  FakeMetadata,
  FakeSTS,
  withInstance,
} from '../../../test/support/ec2/index.ts';
import { dualStackConfig } from './aws.fixture.ts';

/** A temporary key, which EC2 accepts only with its session token. */
const accessKeyId = 'ASIAROLE';
const sessionToken = 'session-of-the-role';
const credentials = {
  AccessKeyId: accessKeyId,
  SecretAccessKey: 'secret-of-the-role',
  Token: sessionToken,
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

  /** Looks up twice and calls `repair` in between. Without `repair`, it looks up once. */
  const lookUp = async (
    variables: Record<string, string>,
    repair?: () => Promise<unknown>,
  ): Promise<string> => {
    const probe = join(import.meta.dirname, 'credentials-probe.fixture.ts');
    const words = [probe, join(folder, 'cloud.conf'), ec2.url, anInstance(1).id];
    const probing = spawn(process.execPath, words, { env: { HOME: folder, ...variables } });
    const outcomes = createInterface({ input: probing.stdout })[Symbol.asyncIterator]();
    const next = async (): Promise<string> => {
      probing.stdin.write('look\n');
      const { value } = await outcomes.next();
      return typeof value === 'string' ? value : assert.fail('the process ended');
    };
    try {
      const first = await next();
      if (repair === undefined) return first;
      await repair();
      return `${first}, then ${await next()}`;
    } finally {
      probing.stdin.end();
    }
  };
  const write = async (name: string, text: string): Promise<string> => {
    await writeFile(join(folder, name), text);
    return join(folder, name);
  };

  it('come from its environment', async () => {
    const keys = { AWS_ACCESS_KEY_ID: accessKeyId, AWS_SECRET_ACCESS_KEY: 'secret' };
    const variables = { ...keys, AWS_SESSION_TOKEN: sessionToken, ...withoutMetadata };
    assert.equal(await lookUp(variables), 'found');
  });

  it('come from a shared file', async () => {
    const file = await write('credentials', fileOf('nodes', accessKeyId));
    const variables = { AWS_SHARED_CREDENTIALS_FILE: file, AWS_PROFILE: 'nodes' };
    assert.equal(await lookUp({ ...variables, ...withoutMetadata }), 'found');
  });

  it('come from its service account (IRSA)', async () => {
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

  it('come from EKS Pod Identity', async () => {
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

  it('come from the instance that it runs on', async () => {
    await using metadata = await FakeMetadata.start({
      'iam/security-credentials/': 'node-role',
      'iam/security-credentials/node-role': JSON.stringify({ Code: 'Success', ...credentials }),
    });
    assert.equal(await lookUp({ AWS_EC2_METADATA_SERVICE_ENDPOINT: metadata.url }), 'found');
  });

  describe('that EC2 or STS refused', () => {
    const repairOf = (key: string) => () => write('credentials', fileOf('default', key));

    it('are read again from a shared file', async () => {
      const file = await write('credentials', fileOf('default', 'AKIDWRONG'));
      const variables = { AWS_SHARED_CREDENTIALS_FILE: file, ...withoutMetadata };
      assert.match(
        await lookUp(variables, repairOf(accessKeyId)),
        /^EC2 refuses DescribeInstances: AuthFailure\..*, then found$/,
      );
    });

    it('are read again from a shared file if no request can have them', async () => {
      const file = await write('credentials', fileOf('default', '“AKIDWRONG”'));
      const variables = { AWS_SHARED_CREDENTIALS_FILE: file, ...withoutMetadata };
      assert.match(
        await lookUp(variables, repairOf(accessKeyId)),
        /^EC2 refuses DescribeInstances: ERR_INVALID_CHAR\..*, then found$/,
      );
    });

    it('are read again when they assume a role', async () => {
      const arn = 'arn:aws:iam::123456789012:role/manager';
      await using sts = await FakeSTS.start({ arn, assumedBy: 'AKIDRIGHT', accessKeyId });
      await write('cloud.conf', `${dualStackConfig}RoleARN=${arn}\n`);
      const file = await write('credentials', fileOf('default', 'AKIDWRONG'));
      const variables = { AWS_SHARED_CREDENTIALS_FILE: file, AWS_ENDPOINT_URL_STS: sts.url };
      assert.match(
        await lookUp({ ...variables, ...withoutMetadata }, repairOf('AKIDRIGHT')),
        /^EC2 refuses DescribeInstances: AccessDenied\..*, then found$/,
      );
    });
  });

  it('come from a program that takes longer than a call waits for them', async () => {
    const { AccessKeyId, SecretAccessKey } = credentials;
    const keys = { Version: 1, AccessKeyId, SecretAccessKey, SessionToken: sessionToken };
    const program = await write('program', `sleep 9; echo '${JSON.stringify(keys)}'`);
    const config = await write('config', `[default]\ncredential_process = sh ${program}\n`);
    const variables = { AWS_CONFIG_FILE: config, PATH: '/usr/bin:/bin' };
    assert.equal(
      await lookUp({ ...variables, ...withoutMetadata }, async () => {}),
      'DescribeInstances of EC2 failed: DeadlineExceeded: no credentials: no answer within 8000 ms, then found',
    );
  });

  it('lead to an error that says so when there are none', async () => {
    assert.match(
      await lookUp(withoutMetadata),
      /^DescribeInstances of EC2 needs credentials, .* a hop limit of 2, have none that work/,
    );
  });

  it('lead to an error that names the cause when their source cannot be reached or read', async () => {
    const variables = {
      AWS_ROLE_ARN: 'arn:aws:iam::123456789012:role/manager',
      AWS_WEB_IDENTITY_TOKEN_FILE: await write('token', 'token'),
      AWS_ENDPOINT_URL_STS: 'http://127.0.0.1:1',
      AWS_REGION: 'eu-west-1',
    };
    assert.match(
      await lookUp(variables),
      /^DescribeInstances of EC2 failed: ECONNREFUSED: no credentials: connect ECONNREFUSED/,
    );
    const noFile = { AWS_WEB_IDENTITY_TOKEN_FILE: join(folder, 'none') };
    assert.match(
      await lookUp({ ...variables, ...noFile }),
      /^DescribeInstances of EC2 failed: ENOENT: no credentials: .*\/none/,
    );
  });
});

/** A shared file with one profile. */
function fileOf(profile: string, key: string): string {
  const session = key.startsWith('ASIA') ? `aws_session_token=${sessionToken}\n` : '';
  return `[${profile}]\naws_access_key_id=${key}\naws_secret_access_key=secret\n${session}`;
}
