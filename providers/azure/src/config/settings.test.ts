import assert from 'node:assert/strict';
import { inspect } from 'node:util';
import type { Environment } from '@tandem/runtime';
import { cloudOfFile, readCloud } from './custom-cloud.ts';
import { type AzureSettings, readSettings } from './settings.ts';

const secretText = 's3cret-of-the-test';
const tenantId = '44444444-4444-4444-8444-444444444444';
const subscriptionId = '11111111-1111-4111-8111-111111111111';
const hub = '22222222-2222-4222-8222-222222222222';
const base = {
  tenantId,
  subscriptionId,
  resourceGroup: 'MC_Blue',
  aadClientId: 'client',
  aadClientSecret: secretText,
};

describe('azure.json', () => {
  it('is read as JSON and as YAML, whatever the case of its keys', () => {
    const yaml = `
      TENANTID: ${tenantId}
      subscriptionid: ${subscriptionId}
      resourceGroup: MC_Blue
      aadClientID: client
      aadClientSecret: ${secretText}
      location: West Europe
      routeTableName: blue`;
    for (const text of [
      yaml,
      JSON.stringify({ ...base, location: 'westeurope', routeTableName: 'blue' }),
    ]) {
      const { resourceGroup, location, routeTable, credential, cloud } = settingsOf(text);
      assert.equal(resourceGroup, 'mc_blue');
      assert.equal(location, 'westeurope');
      assert.deepEqual(routeTable, {
        subscriptionId,
        tenantId: undefined,
        resourceGroup: 'mc_blue',
        name: 'blue',
        scopeKeys: 'subscriptionId and resourceGroup',
        tags: {},
      });
      assert(credential.kind === 'clientSecret');
      assert.equal(credential.secret.reveal(), secretText);
      assert(cloud.kind === 'named');
      assert.equal(cloud.cloud.scope, 'https://management.azure.com/.default');
    }
  });

  it('may put its route table into another subscription, tenant and resource group', () => {
    const { routeTable } = settingsOf({
      ...base,
      routeTableName: 'blue',
      routeTableResourceGroup: 'Net',
      networkResourceSubscriptionID: hub,
      networkResourceTenantID: 'hub.example.com',
      tags: 'a=b, c=d',
      tagsMap: { e: 'f' },
    });
    assert.deepEqual(routeTable, {
      subscriptionId: hub,
      tenantId: 'hub.example.com',
      resourceGroup: 'Net',
      name: 'blue',
      scopeKeys: 'networkResourceSubscriptionID and routeTableResourceGroup',
      tags: { a: 'b', c: 'd', e: 'f' },
    });
    assert.equal(settingsOf(base).routeTable, undefined);
  });

  describe('credentials', () => {
    const tokenFile = '/var/run/secrets/azure/tokens/azure-identity-token';
    const webhook = {
      AZURE_TENANT_ID: hub,
      AZURE_CLIENT_ID: 'pod',
      AZURE_FEDERATED_TOKEN_FILE: '/token',
    };
    const all = {
      ...base,
      useFederatedWorkloadIdentityExtension: true,
      useManagedIdentityExtension: true,
      aadClientCertPath: '/c.pem',
    };
    const application = { tenantId, clientId: 'client' };
    const cases: {
      readonly name: string;
      readonly file: object;
      readonly environment?: Environment;
      readonly want: object;
    }[] = [
      {
        name: 'workload identity takes precedence over all others',
        file: all,
        want: { kind: 'workloadIdentity', ...application, tokenFile },
      },
      {
        name: 'the variables of the webhook take precedence over the file',
        file: base,
        environment: webhook,
        want: {
          kind: 'workloadIdentity',
          tenantId: hub,
          clientId: 'pod',
          tokenFile: '/token',
        },
      },
      {
        name: 'a managed identity takes precedence over a secret',
        file: {
          ...all,
          useFederatedWorkloadIdentityExtension: false,
          userAssignedIdentityID: 'mine',
        },
        want: { kind: 'managedIdentity', identity: 'mine' },
      },
      {
        name: 'the system-assigned identity of the machine needs no name',
        file: {
          subscriptionId,
          resourceGroup: 'g',
          useManagedIdentityExtension: true,
        },
        want: { kind: 'managedIdentity', identity: undefined },
      },
      {
        name: 'a certificate is used when there is no secret',
        file: { ...base, aadClientSecret: '', aadClientCertPath: '/c.pem' },
        want: { kind: 'clientCertificate', ...application, path: '/c.pem', password: undefined },
      },
    ];
    for (const { name, file, environment, want } of cases) {
      it(name, () => assert.deepEqual(settingsOf(file, environment).credential, want));
    }

    it('are refused when AZURE_TENANT_ID is not a tenant', () => {
      const result = read(base, { ...webhook, AZURE_TENANT_ID: 'a b/c' });
      assert(result.kind === 'invalid');
      assert.deepEqual(result.problems, [
        'the variable AZURE_TENANT_ID "a b/c" must be a GUID or the domain of a tenant',
      ]);
    });
  });

  describe('clouds', () => {
    const cases = [
      {
        cloud: 'AzureUSGovernmentCloud',
        want: ['management.usgovcloudapi.net', 'login.microsoftonline.us'],
      },
      {
        cloud: 'AZUREUSGOVERNMENT',
        want: ['management.usgovcloudapi.net', 'login.microsoftonline.us'],
      },
      {
        cloud: 'AzureChinaCloud',
        want: ['management.chinacloudapi.cn', 'login.chinacloudapi.cn'],
      },
      { cloud: 'AzurePublicCloud', want: ['management.azure.com', 'login.microsoftonline.com'] },
    ];
    for (const { cloud, want } of cases) {
      it(`${cloud} has its own endpoint, authority and audience`, () => {
        const settings = settingsOf({ ...base, cloud }).cloud;
        assert(settings.kind === 'named');
        const { endpoint, authorityHost, scope } = settings.cloud;
        assert.deepEqual([endpoint, authorityHost], [`https://${want[0]}`, `https://${want[1]}`]);
        assert.equal(scope, `https://${want[0]}/.default`);
      });
    }

    const custom = {
      endpoint: 'https://arm.site.test',
      authorityHost: 'https://login.site.test',
      scope: 'https://audience.site.test/x/.default',
      isPublished: false,
    };

    it('that are custom are read from the file that AZURE_ENVIRONMENT_FILEPATH names', () => {
      const file = { ...base, cloud: 'AzureStackCloud' };
      const environment = { AZURE_ENVIRONMENT_FILEPATH: '/environment.json' };
      const want = { kind: 'file', path: '/environment.json' };
      assert.deepEqual(settingsOf(file, environment).cloud, want);
      const text = JSON.stringify({
        name: 'Site',
        resourceManagerEndpoint: 'https://arm.site.test/',
        activeDirectoryEndpoint: 'https://login.site.test/adfs/',
        tokenAudience: 'https://audience.site.test/x',
      });
      assert.deepEqual(cloudOfFile('/environment.json', text), custom);
      assert.throws(() => cloudOfFile('/environment.json', '{"tokenAudience": "x"}'), {
        code: 'AzureConfigInvalid',
        message:
          /AZURE_ENVIRONMENT_FILEPATH: "\/environment\.json" is invalid: resourceManagerEndpoint is missing; activeDirectoryEndpoint is missing; line 1: tokenAudience "x" must be a URL/,
      });
      assert.throws(() => cloudOfFile('/e', '{'), { message: /line 1: invalid YAML: / });
    });

    it('that are custom are read from their Resource Manager', async () => {
      const endpoint = 'https://arm.site.test/';
      const settings = settingsOf({ ...base, resourceManagerEndpoint: endpoint }).cloud;
      const authentication = {
        loginEndpoint: 'https://login.site.test/',
        audiences: ['https://audience.site.test/x', 'https://other.test'],
      };
      const requested: string[] = [];
      const answered = async (document: unknown): Promise<unknown> =>
        readCloud(settings, async (url) => {
          requested.push(url);
          return document;
        });
      assert.deepEqual(await answered([{ name: 'Site', authentication }]), custom);
      assert.deepEqual(await answered({ authentication }), custom);
      assert.deepEqual(
        new Set(requested),
        new Set([`${endpoint}metadata/endpoints?api-version=2019-05-01`]),
      );
      for (const document of [[], {}, null, 'x', [{ authentication: { audiences: [] } }]]) {
        await assert.rejects(answered(document), {
          code: 'AzureEnvironmentUnknown',
          retry: 'never',
        });
      }
      const failing = readCloud(settings, () => Promise.reject(new Error('ECONNREFUSED')));
      await assert.rejects(failing, {
        message: /could not be read: ECONNREFUSED\. Check resource/,
      });
    });

    it('that are custom are chosen by name when the Resource Manager lists several', async () => {
      const entry = (name: string): object => ({
        name,
        authentication: { loginEndpoint: `https://${name}.test`, audiences: ['https://a.test'] },
      });
      const settings = settingsOf({
        ...base,
        cloud: 'second',
        resourceManagerEndpoint: 'https://arm.test',
      }).cloud;
      const cloud = await readCloud(settings, async () => [entry('First'), entry('Second')]);
      assert.equal(cloud.authorityHost, 'https://Second.test');
      const failing = readCloud(settings, async () => [entry('First'), entry('Third')]);
      await assert.rejects(failing, { code: 'AzureEnvironmentUnknown' });
    });

    it('that are published need no entry of the same name, because the Resource Manager spells names differently', async () => {
      const settings = settingsOf({
        ...base,
        cloud: 'AzureUSGovernmentCloud',
        resourceManagerEndpoint: 'https://management.usgovcloudapi.net/',
      }).cloud;
      const authentication = { loginEndpoint: 'https://login.test', audiences: ['https://a.test'] };
      const entries = ['AzureCloud', 'AzureUSGovernment'].map((name) => ({ name, authentication }));
      const cloud = await readCloud(settings, async () => entries);
      assert.equal(cloud.authorityHost, 'https://login.microsoftonline.us');
      assert.equal(cloud.scope, 'https://management.usgovcloudapi.net/.default');
    });
  });

  it('is refused with all its problems at once', () => {
    const file = {
      cloud: 'AzureGermanCloud',
      resourceGroup: 'a/b',
      aadClientSecret: 7,
      useManagedIdentityExtension: 'yes',
      routeTableName: '../x',
      tags: 'novalue',
      tagsMap: [],
    };
    assert.deepEqual(problemsOf(JSON.stringify(file, null, 2)), [
      'line 2: cloud "AzureGermanCloud" must be AzurePublicCloud, AzureUSGovernmentCloud, AzureChinaCloud or AzureStackCloud',
      'line 4: aadClientSecret must be a string. Put it in quotes',
      'line 5: useManagedIdentityExtension must be true or false, without quotes',
      'no credentials are given: set useFederatedWorkloadIdentityExtension, useManagedIdentityExtension, aadClientSecret or aadClientCertPath',
      'subscriptionId is missing',
      'line 3: resourceGroup "a/b" is not the name of a resource of Azure',
      'line 6: routeTableName "../x" is not the name of a resource of Azure',
      'line 7: tags must be of the form a=b,c=d',
      'line 8: tagsMap must be a map of strings',
    ]);
  });

  describe('is refused', () => {
    const cases: { readonly name: string; readonly file: object; readonly want: RegExp }[] = [
      {
        name: 'without the tenant and the client ID of a secret',
        file: { ...base, tenantId: '', aadClientId: null },
        want: /^tenantId is missing,aadClientId is missing$/,
      },
      {
        name: 'with a blank tenant and client ID',
        file: { ...base, tenantId: ' ', aadClientId: '\t' },
        want: /^tenantId is missing,aadClientId is missing$/,
      },
      {
        name: 'with tags that are not strings',
        file: { ...base, tagsMap: { team: 'blue', size: 7 } },
        want: /^line 1: tagsMap must be a map of strings$/,
      },
      {
        name: 'with an invalid subscription or tenant',
        file: {
          ...base,
          tenantId: 'tenant',
          subscriptionId: 'Pay as you go',
          routeTableName: 'blue',
          networkResourceSubscriptionID: `${hub}0`,
          networkResourceTenantID: 'a/b',
        },
        want: /^line 1: tenantId "tenant" must be a GUID or the domain of a tenant,line 1: subscriptionId "Pay as you go" must be a GUID, such as [-1-8]+,line 1: networkResourceSubscriptionID "2[-2-8]+0" must be a GUID, such as [-1-8]+,line 1: networkResourceTenantID "a\/b" must be a GUID or the domain of a tenant$/,
      },
      {
        name: 'with a custom cloud but no source of its endpoints',
        file: { ...base, cloud: 'AzureStackCloud' },
        want: /needs the variable AZURE_ENVIRONMENT_FILEPATH, or resourceManagerEndpoint/,
      },
      {
        name: 'with an endpoint that would receive tokens without TLS',
        file: { ...base, resourceManagerEndpoint: 'http://arm.test' },
        want: /^line 1: resourceManagerEndpoint "http:\/\/arm\.test" must be a URL that begins with https/,
      },
      {
        name: 'with a network tenant beside a managed identity',
        file: { ...base, useManagedIdentityExtension: true, networkResourceTenantID: hub },
        want: /^line 1: networkResourceTenantID cannot be used with useManagedIdentityExtension/,
      },
    ];
    for (const { name, file, want } of cases) {
      it(name, () => assert.match(problemsOf(file).join(), want));
    }
  });

  it('is refused when it is neither a JSON nor a YAML map of strings, without repeating a secret', () => {
    const texts = [
      `{\n"aadClientSecret": "${secretText}\n`,
      `a: b\naadClientSecret: *${secretText}`,
      `{"cloud": "",\n"aadClientSecret": "${secretText}",\n"aadClientSECRET": "${secretText}"}`,
      `- ${secretText}`,
      secretText,
      '',
    ];
    const found = texts.map((text) => problemsOf(text).join());
    assert.match(found[0] ?? '', /^line \d: invalid YAML: a closing quote/);
    assert.match(found[1] ?? '', /^line 2: aadClientSecret must be a string\. Put it in quotes/);
    assert.match(found[2] ?? '', /^line 3: aadClientSECRET appears twice/);
    for (const text of found.slice(3)) assert.equal(text, 'it is not a map of fields');
    assert(!found.join().includes(secretText));
  });

  it('never shows a secret, however its settings are printed', () => {
    const settings = settingsOf({ ...base, aadClientCertPassword: secretText });
    const { credential } = settings;
    assert(credential.kind === 'clientSecret');
    const shown = [inspect(settings, { depth: 9 }), JSON.stringify(settings)];
    for (const text of [...shown, String(credential.secret)]) assert(!text.includes(secretText));
    assert.match(JSON.stringify(settings), /"secret":"\[secret\]"/);
  });

  it('yields the keys that upstream does not know either', () => {
    const file = {
      ...base,
      vmssCacheTTLInSeconds: 600,
      loadBalancerSku: 'standard',
      colour: 'blue',
    };
    assert.deepEqual(settingsOf(file).unknownKeys, ['colour']);
  });
});

function read(
  file: object | string,
  environment: Environment = {},
): ReturnType<typeof readSettings> {
  return readSettings(typeof file === 'string' ? file : JSON.stringify(file), environment);
}

function settingsOf(file: object | string, environment?: Environment): AzureSettings {
  const result = read(file, environment);
  assert(result.kind === 'read', `refused: ${result.kind === 'invalid' && result.problems.join()}`);
  return result.settings;
}

function problemsOf(file: object | string): readonly string[] {
  const result = read(file);
  assert(result.kind === 'invalid', 'the file was accepted');
  return result.problems;
}
