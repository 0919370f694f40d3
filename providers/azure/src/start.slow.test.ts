/** Tests the start: where endpoints and credentials come from, what the provider refuses, and what the role lacks. */
import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { generateKeyPairSync, X509Certificate } from 'node:crypto';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { connect, createServer, type Server, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import type { LookupAnswer } from '@tandem/provider/plug';
import {
  aMachine,
  anInstance,
  ArmError,
  aScaleSet,
  aTable,
  FakeAzure,
  type Fault,
  throttled,
  withMachine,
  withScaleSet,
  withTable,
} from '../../../test/support/arm/index.ts';
import {
  type AzureWorld,
  openAzureWorld,
  whileTimePasses,
  type WorldOptions,
} from './azure.fixture.ts';
import { clientCertificate, legacy, today } from './client-certificate.fixture.ts';

const { signal } = new AbortController();
const here = import.meta.dirname;
const run = promisify(execFile);

/** The script of a separate process, because the SDK finds the metadata service through its process environment. */
const askForAccess = `
  import { createLogger, createMetrics, systemClock, systemRandom } from '@tandem/runtime';
  import { createProvider } from './index.ts';
  const { signal } = new AbortController();
  const provider = await createProvider({
    configPath: process.argv[1],
    clock: systemClock,
    random: systemRandom,
    logger: createLogger({ clock: systemClock, destination: { write: () => {} } }),
    metrics: createMetrics(),
    environment: process.env,
    clusterName: 'kubernetes',
    clusterCIDRs: [],
    signal,
  });
  const message = await provider.checkAccess({ signal }).then(() => 'let in', (err) => err.message);
  process.stdout.write(message);
  await provider.close();
`;

describe('starting on Azure', () => {
  const find = async (world: AzureWorld): Promise<LookupAnswer | undefined> => {
    const { arm } = world.azure;
    arm.state = withMachine(arm.state, aMachine(1));
    const node = { name: 'worker-1', uid: 'u', providerID: '', labels: {}, systemUUID: '' };
    return (await world.provider.lookup([node], { maxAgeMs: 0, signal })).get('worker-1');
  };
  const finds = async (options: WorldOptions): Promise<void> => {
    await using world = await openAzureWorld(options);
    const answer = await find(world);
    if (answer?.kind === 'unknown') throw answer.err;
    assert.equal(answer?.kind, 'found');
  };

  it('reads the endpoints of a custom cloud from its Resource Manager', async () => {
    await using world = await openAzureWorld();
    assert.equal((await find(world))?.kind, 'found');
    assert.deepEqual(world.azure.arm.calls.slice(0, 1), ['metadata.endpoints']);
    const scopes = world.azure.entra.requests.flatMap(({ form }) => form['scope'] ?? []);
    assert.deepEqual(new Set(scopes), new Set([`${world.azure.entra.audience}.default`]));
  });

  it('reads the endpoints of AzureStackCloud from the file of AZURE_ENVIRONMENT_FILEPATH', async () => {
    const azure = await FakeAzure.start();
    await finds({
      azure,
      config: { cloud: 'AzureStackCloud', resourceManagerEndpoint: undefined },
      files: { 'environment.json': JSON.stringify(azure.environmentFile) },
      environment: { AZURE_ENVIRONMENT_FILEPATH: '{folder}/environment.json' },
    });
    assert(!azure.arm.calls.includes('metadata.endpoints'));
  });

  it('fails when the Resource Manager does not return the endpoints as JSON', async () => {
    const azure = await FakeAzure.start();
    azure.arm.fault = { kind: 'garbage' };
    await assert.rejects(openAzureWorld({ azure }), {
      code: 'AzureEnvironmentUnknown',
      message:
        /metadata\/endpoints\?api-version=2019-05-01" could not be read: the answer is not JSON/,
    });
  });

  it('keeps running while the Resource Manager cannot return the endpoints, and look-ups say why', async () => {
    const cases: { readonly fault: Fault; readonly why: RegExp }[] = [
      { fault: throttled(30), why: /could not be read: the answer was 429\. Check/ },
      { fault: refusedWith(403), why: /could not be read: the answer was 403\. Check/ },
      { fault: { kind: 'reset' }, why: /could not be read: .*(?:hang up|ECONNRESET).*\. Check/ },
    ];
    for (const { fault, why } of cases) {
      const azure = await FakeAzure.start();
      azure.arm.fault = fault;
      await using world = await openAzureWorld({ azure });
      assert.match(world.log.join(''), /Could not read the endpoints of the cloud, trying again/);
      azure.arm.fault = undefined;
      const waiting = await find(world);
      assert(waiting?.kind === 'unknown');
      assert.match(waiting.err.message, why);
      assert.deepEqual(azure.arm.calls, ['metadata.endpoints']);
      await world.clock.advance(30_000);
      assert.equal((await find(world))?.kind, 'found');
    }
  });

  it('fails at once when the Resource Manager has no document with endpoints', async () => {
    const azure = await FakeAzure.start();
    azure.arm.fault = refusedWith(404);
    await assert.rejects(openAzureWorld({ azure }), {
      code: 'AzureEnvironmentUnknown',
      retry: 'never',
    });
  });

  it('refuses an invalid configuration, and names every wrong field and no secret', async () => {
    const secret = 'secret-of-the-test';
    const config = JSON.stringify({
      aadClientSecret: secret,
      aadClientId: 'client',
      cloud: 'moon',
    });
    await assert.rejects(openAzureWorld({ config }), (err: Error) => {
      assert.equal(Reflect.get(err, 'code'), 'AzureConfigInvalid');
      assert.match(
        err.message,
        /azure\.json" is invalid: line 1: cloud "moon" must be .*; tenantId is missing; subscriptionId is missing; resourceGroup is missing$/,
      );
      assert(!err.message.includes(secret));
      return true;
    });
    await assert.rejects(openAzureWorld({ config: '{' }), {
      message: /line 1: invalid YAML: /,
    });
  });

  it('accepts the keys of upstream, and logs those that it does not know', async () => {
    await using world = await openAzureWorld({
      config: { vmType: 'vmss', loadBalancerSku: 'standard', colour: 'blue' },
    });
    assert.match(world.log.join(''), /"unknownKeys":\["colour"\]/);
  });

  describe('takes', () => {
    it('the token of workload identity', async () => {
      const azure = await FakeAzure.start();
      const { id } = azure.entra.client;
      azure.entra.client = { id, federatedToken: 'token-of-the-pod' };
      await finds({
        azure,
        config: { aadClientId: '', aadClientSecret: '', tenantId: '' },
        files: { token: 'token-of-the-pod' },
        environment: {
          AZURE_TENANT_ID: azure.entra.tenant,
          AZURE_CLIENT_ID: id,
          AZURE_FEDERATED_TOKEN_FILE: '{folder}/token',
        },
      });
    });

    it('a client certificate with an encrypted key', async () => {
      const azure = await FakeAzure.start();
      const { id } = azure.entra.client;
      const { publicKey, privateKey } = generateKeyPairSync('rsa', { modulusLength: 2_048 });
      // Any certificate works here: both sides use only its bytes and the key.
      const certificate = { der: new X509Certificate(azure.ca).raw, publicKey };
      azure.entra.client = { id, certificate };
      const encryption = { cipher: 'aes-256-cbc', passphrase: 'open' };
      const key = privateKey.export({ type: 'pkcs8', format: 'pem', ...encryption }).toString();
      await finds({
        azure,
        config: {
          aadClientSecret: '',
          aadClientCertPath: '{folder}/client.pem',
          aadClientCertPassword: 'open',
        },
        files: { 'client.pem': `${key}${azure.ca}` },
      });
    });

    for (const [name, file] of Object.entries({ current: today, legacy })) {
      it(`a client certificate as PFX with ${name} encryption`, async () => {
        const azure = await FakeAzure.start();
        const { id } = azure.entra.client;
        const { raw: der, publicKey } = new X509Certificate(clientCertificate);
        azure.entra.client = { id, certificate: { der, publicKey } };
        await finds({
          azure,
          config: {
            aadClientSecret: '',
            aadClientCertPath: '{folder}/client.pfx',
            aadClientCertPassword: 'open',
          },
          files: { 'client.pfx': file },
        });
      });
    }
  });

  it('uses the managed identity of the machine, or the one that azure.json names', async () => {
    await using azure = await FakeAzure.start();
    const folder = await mkdtemp(join(tmpdir(), 'tandem-azure-'));
    await writeFile(join(folder, 'ca.pem'), azure.ca);
    azure.metadata.identities.add('named');
    const accessOf = async (userAssignedIdentityID: string): Promise<string> => {
      const config = { useManagedIdentityExtension: true, userAssignedIdentityID, tenantId: '' };
      await writeFile(join(folder, 'azure.json'), JSON.stringify(azure.config(config)));
      const environment = { NODE_EXTRA_CA_CERTS: join(folder, 'ca.pem'), ...azure.environment };
      const options = ['--input-type=module', '--eval', askForAccess, join(folder, 'azure.json')];
      return (await run(process.execPath, options, { env: environment, cwd: here })).stdout;
    };
    assert.equal(await accessOf(''), 'let in');
    assert.equal(await accessOf('named'), 'let in');
    assert.match(await accessOf('other'), /^Entra ID gives no token: CredentialUnavailableError/);
    await rm(folder, { recursive: true });
  });

  it('refuses a certificate that it cannot use, and says why', async () => {
    const config = { aadClientSecret: '', aadClientCertPath: '{folder}/client.pfx' };
    await assert.rejects(openAzureWorld({ config }), {
      message: /^aadClientCertPath: .* does not exist/,
    });
    await assert.rejects(openAzureWorld({ config, files: { 'client.pfx': '\u0000' } }), {
      code: 'AzureConfigInvalid',
      message: /client\.pfx must have a certificate and its RSA key, as PEM or PFX \(PKCS#12\)$/,
    });
    const { privateKey } = generateKeyPairSync('ec', {
      namedCurve: 'P-256',
      publicKeyEncoding: { type: 'spki', format: 'pem' },
      privateKeyEncoding: {
        type: 'pkcs8',
        format: 'pem',
        cipher: 'aes-256-cbc',
        passphrase: 'closed',
      },
    });
    const certificate = '-----BEGIN CERTIFICATE-----\nAA==\n-----END CERTIFICATE-----';
    await assert.rejects(
      openAzureWorld({ config, files: { 'client.pfx': `${privateKey}${certificate}` } }),
      {
        message: /the key in .*client\.pfx cannot be opened\. Check aadClientCertPassword$/,
      },
    );
  });

  it('uses the proxy of the environment, except for the hosts of NO_PROXY', async () => {
    await using proxy = await ConnectProxy.start();
    await using world = await openAzureWorld({ environment: { HTTPS_PROXY: proxy.url } });
    const { arm, entra } = world.azure;
    const [ofArm, ofEntra] = [new URL(arm.url).host, new URL(entra.url).host];
    assert.deepEqual(proxy.targets, [ofArm], 'the request for the endpoints');
    assert.equal((await find(world))?.kind, 'found');
    assert.deepEqual(new Set(proxy.targets), new Set([ofArm, ofEntra]));
    const before = proxy.targets.length;
    await finds({ environment: { HTTPS_PROXY: proxy.url, NO_PROXY: '127.0.0.1' } });
    assert.equal(proxy.targets.length, before);
  });

  it('times out a token request that Entra ID does not answer, and gets a token once it answers', async () => {
    await using world = await openAzureWorld();
    const { entra } = world.azure;
    entra.fault = { kind: 'hang' };
    const answer = await whileTimePasses(world, find(world));
    assert(answer?.kind === 'unknown');
    assert.match(answer.err.message, /Entra ID gives no token: /);
    assert.equal(Reflect.get(answer.err, 'code'), 'AzureCallFailed');
    entra.fault = undefined;
    assert.equal((await whileTimePasses(world, find(world)))?.kind, 'found');
  });

  it('reads a rotated secret from the file without a restart, and survives a half-written file', async () => {
    await using world = await openAzureWorld();
    assert.equal((await find(world))?.kind, 'found');
    const { entra } = world.azure;
    entra.client = { ...entra.client, secret: 'rotated' };
    entra.expireTokens();
    /** Looks the node up repeatedly, as the manager does, until `isSo` holds. */
    const until = async (isSo: (kind: string | undefined) => boolean): Promise<void> => {
      for (let tries = 0; tries < 20; tries++) {
        if (isSo((await find(world))?.kind)) return;
        await world.clock.advance(30_000);
      }
      assert.fail('not so after 20 look-ups');
    };
    await world.rewriteConfig('{');
    await until(() => world.log.join('').includes('Could not read the refused credentials again'));
    await world.rewriteConfig({ aadClientSecret: 'rotated' });
    await until((kind) => kind === 'found');
    assert(!world.log.join('').includes('rotated'));
  });

  it('names all actions that the role lacks in one error', async () => {
    await using world = await openAzureWorld();
    const { arm } = world.azure;
    const pool = aScaleSet('pool', { instances: [anInstance('pool', 1)] });
    arm.state = withScaleSet(arm.state, pool);
    await world.provider.checkAccess?.({ signal });
    arm.denied.add('Microsoft.Compute/virtualMachines/read');
    arm.denied.add('Microsoft.Network/routeTables/read');
    const checked = world.provider.checkAccess?.({ signal, routedNodes: 1 });
    await assert.rejects(Promise.resolve(checked), {
      code: 'AzureAccessRefused',
      retry: 'never',
      message:
        /^Azure refuses to list virtual machines in resource group blue: AuthorizationFailed\. The role of the manager lacks Microsoft\.Compute\/virtualMachines\/read\. Azure refuses to read route table blue in .* lacks Microsoft\.Network\/routeTables\/read$/,
    });
    arm.denied.clear();
    await world.provider.checkAccess?.({ signal });
  });

  it('reports that an unusable route table costs nodes their routes, and nothing else', async () => {
    await using world = await openAzureWorld({ config: { location: '' } });
    const { arm } = world.azure;
    const gapsOf = async (routedNodes?: number): Promise<unknown[]> => {
      const options = { signal, ...(routedNodes !== undefined && { routedNodes }) };
      const gaps = (await world.provider.checkAccess?.(options)) ?? [];
      return gaps.map(({ err, consequence }) => [Reflect.get(err, 'code'), consequence]);
    };
    const consequence = 'Nodes get no routes';
    assert.deepEqual(await gapsOf(1), [['AzureRouteTableMissing', consequence]]);
    const tags = { 'k8s-azure-cluster-name': 'another' };
    arm.state = withTable(arm.state, aTable('blue', { tags }));
    assert.deepEqual(await gapsOf(1), [['AzureRouteTableForeign', consequence]]);
    arm.state = withTable(arm.state, aTable());
    assert.deepEqual(await gapsOf(1), []);
    arm.denied.add('Microsoft.Network/routeTables/read');
    assert.deepEqual(await gapsOf(1), [['AzureAccessRefused', consequence]]);
    arm.forgetCalls();
    assert.deepEqual(await gapsOf(), []);
    assert(!arm.calls.includes('routeTables.get'));
  });

  it('names the keys that set the missing subscription of the route table', async () => {
    const networkResourceSubscriptionID = '77777777-7777-4777-8777-777777777777';
    await using world = await openAzureWorld({ config: { networkResourceSubscriptionID } });
    const [gap] = (await world.provider.checkAccess?.({ signal, routedNodes: 1 })) ?? [];
    const want =
      /: SubscriptionNotFound\. Check networkResourceSubscriptionID and resourceGroup in/;
    assert.match(gap?.err.message ?? '', want);
    assert.equal((await find(world))?.kind, 'found');
  });

  it('says what is wrong with a secret, a tenant, a subscription and a resource group', async () => {
    const cases = [
      {
        config: { aadClientSecret: 'wrong' },
        want: /^Entra ID gives no token: invalid_client \(AADSTS7000215\)\. The client secret is wrong\. Put the value of the secret, not its id, into aadClientSecret$/,
      },
      {
        config: { tenantId: '66666666-6666-4666-8666-666666666666' },
        want: /^Entra ID gives no token: endpoints_resolution_error\. Check tenantId in --cloud-config/,
      },
      {
        config: { subscriptionId: '77777777-7777-4777-8777-777777777777' },
        want: /: SubscriptionNotFound\. Check subscriptionId and resourceGroup/,
      },
      {
        config: { resourceGroup: 'red' },
        want: /: ResourceGroupNotFound\. Check subscriptionId and/,
      },
    ];
    for (const { config, want } of cases) {
      await using world = await openAzureWorld({ config });
      await assert.rejects(Promise.resolve(world.provider.checkAccess?.({ signal })), {
        message: want,
      });
      const answer = await find(world);
      if (config.resourceGroup === undefined) {
        assert(answer?.kind === 'unknown');
        assert.match(answer.err.message, want);
      }
    }
  });
});

function refusedWith(status: number): Fault {
  return { kind: 'refuse', error: new ArmError('Refused', 'It is not to be had.', { status }) };
}

/** A proxy that connects to every requested target and records it. */
class ConnectProxy implements AsyncDisposable {
  readonly targets: string[] = [];
  readonly url: string;
  readonly #server: Server;
  readonly #sockets = new Set<Socket>();

  private constructor(server: Server, port: number) {
    this.#server = server;
    this.url = `http://127.0.0.1:${port}`;
  }

  static async start(): Promise<ConnectProxy> {
    const server = createServer();
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    const address = server.address();
    assert(typeof address === 'object' && address !== null);
    const proxy = new ConnectProxy(server, address.port);
    server.on('connection', (socket) => proxy.#accept(socket));
    return proxy;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    for (const socket of this.#sockets) socket.destroy();
    await new Promise((resolve) => this.#server.close(resolve));
  }

  #accept(socket: Socket): void {
    this.#sockets.add(socket);
    socket.on('error', () => {});
    socket.once('data', (data) => {
      const target = /^CONNECT (\S+) /.exec(data.toString())?.[1] ?? '';
      this.targets.push(target);
      const [host = '', port = ''] = target.split(':');
      const onward = connect(Number(port), host, () => {
        socket.write('HTTP/1.1 200 Connection established\r\n\r\n');
        socket.pipe(onward).pipe(socket);
      });
      this.#sockets.add(onward);
      onward.on('error', () => socket.destroy());
    });
  }
}
