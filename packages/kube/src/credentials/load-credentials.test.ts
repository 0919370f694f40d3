import assert from 'node:assert/strict';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { type Environment, virtualClock } from '@tandem/runtime';
import { stringify } from 'yaml';
import { loadCredentials, type LoadOptions } from './load-credentials.ts';

const startMs = Date.UTC(2026, 0, 1);

describe('loadCredentials', () => {
  let directory: string;

  beforeEach(async () => {
    directory = await mkdtemp(join(tmpdir(), 'tandem-credentials-'));
  });
  afterEach(() => rm(directory, { recursive: true }));

  function load(environment: Environment, options: Partial<LoadOptions> = {}) {
    const clock = virtualClock({ startMs });
    const loading = loadCredentials({ environment, clock, ...options });
    return { clock, loading };
  }

  async function write(name: string, text: string): Promise<string> {
    const path = join(directory, name);
    await mkdir(join(path, '..'), { recursive: true });
    await writeFile(path, text);
    return path;
  }

  const kubeconfig = (server: string, user: object = {}): string =>
    stringify({
      clusters: [{ name: 'c', cluster: { server } }],
      users: [{ name: 'u', user }],
      contexts: [{ name: 'x', context: { cluster: 'c', user: 'u' } }],
      'current-context': 'x',
    });

  it('takes the kubeconfig that was named, then KUBECONFIG, then the one at home, then the pod', async () => {
    const named = await write('named', kubeconfig('https://named'));
    const listed = await write('listed', kubeconfig('https://listed'));
    await write('.kube/config', kubeconfig('https://home'));
    const home = { HOME: directory };
    const both = { ...home, KUBECONFIG: ['/does/not/exist', listed].join(delimiter) };
    assert.equal((await load(both, { kubeconfig: named }).loading).server, 'https://named');
    assert.equal((await load(both).loading).server, 'https://listed');
    const pod = { ...home, KUBERNETES_SERVICE_HOST: 'fd00::1', KUBERNETES_SERVICE_PORT: '443' };
    assert.equal((await load(pod).loading).server, 'https://home');
  });

  it('looks at nothing of whoever starts a server that searches its pod only', async () => {
    const listed = await write('listed', kubeconfig('https://listed'));
    await write('.kube/config', kubeconfig('https://home'));
    const environment = { HOME: directory, KUBECONFIG: listed };
    await assert.rejects(load(environment, { search: 'pod' }).loading, {
      code: 'KubeconfigMissing',
      message: /^There is no kubeconfig: none was named, and this is no pod\./,
    });
    const named = await load(environment, { search: 'pod', kubeconfig: listed }).loading;
    assert.equal(named.server, 'https://listed');
  });

  it('takes the address that was named, with the credentials that are found, or with none', async () => {
    const server = 'https://10.9.9.9:6443/';
    const path = await write('named', kubeconfig('https://named', { token: 'secret' }));
    const named = await load({}, { kubeconfig: path, server }).loading;
    assert.equal(named.server, 'https://10.9.9.9:6443');
    assert.equal((await named.identity()).headers['authorization'], 'Bearer secret');
    const alone = await load({ HOME: directory }, { server }).loading;
    assert.equal(alone.server, 'https://10.9.9.9:6443');
    assert.deepEqual((await alone.identity()).headers, {});
    const pod = { KUBERNETES_SERVICE_HOST: 'fd00::1', KUBERNETES_SERVICE_PORT: '443' };
    const inPod = load(pod, { server, serviceAccountDirectory: directory }).loading;
    await assert.rejects(inPod, /the service account of this pod/, 'still who the pod is');
  });

  const badServers = [
    '',
    '10.0.0.1:6443',
    'localhost:8080',
    'ftp://10.0.0.1',
    'https://',
    'not one',
  ];
  for (const server of badServers) {
    it(`refuses "${server}" as an address, by the flag`, async () => {
      const named = await write('named', kubeconfig('https://named'));
      await assert.rejects(load({}, { kubeconfig: named, server }).loading, {
        code: 'ServerAddressInvalid',
        message: `--master is "${server}", which is not the address of a server. Write it as https://HOST:PORT.`,
      });
    });
  }

  it('refuses plain HTTP to another machine, by the flag', async () => {
    await assert.rejects(load({}, { server: 'http://10.0.0.1:8080' }).loading, {
      code: 'ServerAddressInvalid',
      message: /^--master is .* in the clear/,
    });
    assert.equal(
      (await load({}, { server: 'http://[::1]:8080' }).loading).server,
      'http://[::1]:8080',
    );
  });

  it('says where it looked when there is nothing', async () => {
    await assert.rejects(load({ HOME: directory }).loading, {
      code: 'KubeconfigMissing',
      message:
        /none was named, KUBECONFIG is not set, \S+\.kube\/config does not exist.*--kubeconfig/,
    });
    await assert.rejects(load({ KUBECONFIG: '/does/not/exist' }).loading, {
      code: 'KubeconfigMissing',
      message: /KUBECONFIG names \/does\/not\/exist/,
    });
    await assert.rejects(load({}, { kubeconfig: '/does/not/exist' }).loading, {
      code: 'KubeconfigMissing',
      message: /The kubeconfig \/does\/not\/exist does not exist/,
    });
    await assert.rejects(load({}, { kubeconfig: directory }).loading, {
      code: 'KubeconfigMissing',
      message: /cannot be read \(EISDIR\)/,
    });
  });

  it('reads a token file again when it may have rotated, and not for every request', async () => {
    const tokenFile = await write('token', 'one\n');
    const path = await write('config', kubeconfig('https://c', { tokenFile }));
    const { clock, loading } = load({}, { kubeconfig: path });
    const credentials = await loading;
    const first = await credentials.identity();
    assert.equal(first.headers['authorization'], 'Bearer one');
    await write('token', 'two\n');
    assert.equal(await credentials.identity(), first);
    assert.equal(credentials.current?.(), first, 'without waiting');
    await clock.advance(30_000);
    assert.equal(credentials.current?.(), undefined, 'the file has to be looked at');
    const second = await credentials.identity();
    assert.equal(second.headers['authorization'], 'Bearer two');
    assert.equal(second.tls, first.tls, 'connections are kept');
  });

  it('reads it at once when a server refuses the old token', async () => {
    const tokenFile = await write('token', 'one');
    const path = await write('config', kubeconfig('https://c', { tokenFile }));
    const credentials = await load({}, { kubeconfig: path }).loading;
    const first = await credentials.identity();
    await write('token', 'two');
    const second = await credentials.renew(first);
    assert.equal(second?.headers['authorization'], 'Bearer two');
    assert.equal(await credentials.renew(first), second, 'a late refusal of the old one');
    assert.equal(await credentials.renew(await credentials.identity()), undefined);
  });

  it('goes on with the old token while the file is gone, until a server refuses it', async () => {
    const tokenFile = await write('token', 'one');
    const path = await write('config', kubeconfig('https://c', { tokenFile }));
    const { clock, loading } = load({}, { kubeconfig: path });
    const credentials = await loading;
    const first = await credentials.identity();
    await rm(tokenFile);
    await clock.advance(60_000);
    assert.equal(await credentials.identity(), first);
    await assert.rejects(credentials.renew(first), {
      code: 'TokenInvalid',
      message:
        /The file \S+token, named by users\["u"\]\.tokenFile in \S+config, cannot be read \(ENOENT\)/,
    });
  });

  const bad: { name: string; user: object; code: string; says: RegExp }[] = [
    {
      name: 'a token file that is missing',
      user: { tokenFile: 'nowhere' },
      code: 'TokenInvalid',
      says: /nowhere, named by users\["u"\]\.tokenFile/,
    },
    {
      name: 'a token of two lines',
      user: { token: 'a\nb' },
      code: 'TokenInvalid',
      says: /users\["u"\]\.token in \S+ holds no token/,
    },
    {
      name: 'a certificate file that is missing',
      user: { 'client-certificate': 'nowhere' },
      code: 'CertificateInvalid',
      says: /nowhere, named by users\["u"\]\.client-certificate/,
    },
    {
      name: 'a certificate without a key',
      user: { 'client-certificate-data': 'eA==' },
      code: 'CertificateInvalid',
      says: /client-certificate-data in \S+ has no client key/,
    },
    {
      name: 'a certificate that is none',
      user: { 'client-certificate-data': 'eA==', 'client-key-data': 'eA==' },
      code: 'CertificateInvalid',
      says: /client-certificate-data in \S+ holds no certificate/,
    },
  ];
  for (const { name, user, code, says } of bad) {
    it(`refuses ${name}, by name`, async () => {
      const path = await write('config', kubeconfig('https://c', user));
      await assert.rejects(load({}, { kubeconfig: path }).loading, { code, message: says });
    });
  }

  it('names what a pod lacks', async () => {
    const pod = { KUBERNETES_SERVICE_HOST: 'fd00::1', KUBERNETES_SERVICE_PORT: '443' };
    const { loading } = load(pod, { serviceAccountDirectory: directory });
    await assert.rejects(loading, {
      code: 'CertificateInvalid',
      message: /ca\.crt, named by the service account of this pod, cannot be read/,
    });
  });
});
