import assert from 'node:assert/strict';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { createLogger, createMetrics, type Environment } from '@tandem/runtime';
import { virtualClock } from '@tandem/runtime/testing';
import { stringify } from 'yaml';
import { credentialsErrorCodes } from '../errors/error-codes.ts';
import { inClusterSettings, loadCredentials, type LoadOptions } from './load-credentials.ts';

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

  it('prefers --kubeconfig to KUBECONFIG, then ~/.kube/config to the service account of the pod', async () => {
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

  it('ignores KUBECONFIG and ~/.kube/config if it searches the pod only', async () => {
    const listed = await write('listed', kubeconfig('https://listed'));
    await write('.kube/config', kubeconfig('https://home'));
    const environment = { HOME: directory, KUBECONFIG: listed };
    await assert.rejects(load(environment, { search: 'pod' }).loading, {
      code: 'KubeconfigMissing',
      message:
        /^No kubeconfig found: --kubeconfig is not set, and this program does not run in a pod\./,
    });
    const named = await load(environment, { search: 'pod', kubeconfig: listed }).loading;
    assert.equal(named.server, 'https://listed');
    const { remedy } = credentialsErrorCodes.KubeconfigMissing;
    assert.match(
      remedy,
      /`--kubeconfig`.*does not read `KUBECONFIG`/,
      'the reference page says the same',
    );
  });

  it('uses the address of --master with the credentials that it finds, or without credentials', async () => {
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
    await assert.rejects(
      inPod,
      /the service account of this pod/,
      'the identity is still that of the pod',
    );
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
    it(`rejects "${server}" as the value of --master`, async () => {
      const named = await write('named', kubeconfig('https://named'));
      await assert.rejects(load({}, { kubeconfig: named, server }).loading, {
        code: 'ServerAddressInvalid',
        message: `--master is "${server}", which is not a server address. Write it as https://HOST:PORT.`,
      });
    });
  }

  it('rejects plain HTTP to another machine, but not to loopback, in --master', async () => {
    await assert.rejects(load({}, { server: 'http://10.0.0.1:8080' }).loading, {
      code: 'ServerAddressInvalid',
      message: /^--master is .* unencrypted/,
    });
    assert.equal(
      (await load({}, { server: 'http://[::1]:8080' }).loading).server,
      'http://[::1]:8080',
    );
  });

  it('names where it searched if there is no kubeconfig', async () => {
    await assert.rejects(load({ HOME: directory }).loading, {
      code: 'KubeconfigMissing',
      message:
        /--kubeconfig and KUBECONFIG are not set, \S+\.kube\/config does not exist.*--kubeconfig/,
    });
    await assert.rejects(load({ KUBECONFIG: '/does/not/exist' }).loading, {
      code: 'KubeconfigMissing',
      message: /^No file that KUBECONFIG names exists: \/does\/not\/exist\./,
    });
    await assert.rejects(load({}, { kubeconfig: '/does/not/exist' }).loading, {
      code: 'KubeconfigMissing',
      message: /^--kubeconfig: \/does\/not\/exist does not exist\. Check the path\.$/,
    });
    await assert.rejects(load({}, { kubeconfig: directory }).loading, {
      code: 'KubeconfigMissing',
      message: /is a directory\. Give the path of a file\.$/,
    });
  });

  it('reads a token file again after half a minute, and not for every request', async () => {
    const tokenFile = await write('token', 'one\n');
    const path = await write('config', kubeconfig('https://c', { tokenFile }));
    const { clock, loading } = load({}, { kubeconfig: path });
    const credentials = await loading;
    const first = await credentials.identity();
    assert.equal(first.headers['authorization'], 'Bearer one');
    await write('token', 'two\n');
    assert.equal(await credentials.identity(), first);
    await clock.advance(30_000);
    const second = await credentials.identity();
    assert.equal(second.headers['authorization'], 'Bearer two');
    assert.equal(second.tls, first.tls, 'connections are kept');
  });

  it('reads a token file again at once when a server refuses the old token', async () => {
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

  it('keeps the old token if its file cannot be read again, logs this once and counts each failure', async () => {
    const tokenFile = await write('token', 'one');
    const path = await write('config', kubeconfig('https://c', { tokenFile }));
    const log: string[] = [];
    const clock = virtualClock({ startMs });
    const record = (line: string): void => {
      const { level, msg, source, err } = JSON.parse(line);
      log.push([level, msg, source, err?.code].join(' ').trim());
    };
    const logger = createLogger({ clock, destination: { write: record } });
    const metrics = createMetrics();
    const options = { kubeconfig: path, environment: {}, clock, telemetry: { logger, metrics } };
    const credentials = await loadCredentials(options);
    const first = await credentials.identity();
    await rm(tokenFile);
    for (let minute = 0; minute < 3; minute += 1) {
      await clock.advance(60_000);
      assert.equal(await credentials.identity(), first);
    }
    await write('token', 'two');
    await clock.advance(60_000);
    assert.equal((await credentials.identity()).headers['authorization'], 'Bearer two');
    assert.deepEqual(log, [
      'warn Could not refresh credentials, keeping the old ones files TokenInvalid',
      'info Refreshed credentials files',
    ]);
    assert.match(
      await metrics.render(),
      /^tandem_credentials_refresh_failures_total\{source="files"\} 3$/m,
    );
  });

  it('exposes the expiry of a token as a metric, which follows rotations', async () => {
    const clock = virtualClock({ startMs });
    const logger = createLogger({ clock, destination: { write: () => undefined } });
    const metrics = createMetrics();
    const tokenOf = (claims: object): string =>
      ['{}', JSON.stringify(claims), 'signature']
        .map((part) => Buffer.from(part).toString('base64url'))
        .join('.');
    const tokenFile = await write('token', tokenOf({ sub: 'me', exp: 1_800_000_000 }));
    const path = await write('config', kubeconfig('https://c', { tokenFile }));
    const options = { kubeconfig: path, environment: {}, clock, telemetry: { logger, metrics } };
    const credentials = await loadCredentials(options);
    const shown = async (): Promise<string | undefined> => {
      await credentials.identity();
      const text = await metrics.render();
      const series =
        /^tandem_credentials_expiry_timestamp_seconds\{flag="kubeconfig",kind="token"\} (.+)$/m;
      return series.exec(text)?.[1];
    };
    assert.equal(await shown(), '1800000000');
    const rotations = [
      { token: tokenOf({ exp: 1_800_003_600 }), want: '1800003600' },
      { token: 'opaque', want: '+Inf' },
      { token: tokenOf({ exp: 'tomorrow' }), want: '+Inf' },
      { token: tokenOf([]), want: '+Inf' },
    ];
    for (const { token, want } of rotations) {
      await write('token', token);
      await clock.advance(30_000);
      assert.equal(await shown(), want);
    }
  });

  it('gives the new token to all requests that were refused at the same time', async () => {
    const tokenFile = await write('token', 'one');
    const path = await write('config', kubeconfig('https://c', { tokenFile }));
    const credentials = await load({}, { kubeconfig: path }).loading;
    const first = await credentials.identity();
    await write('token', 'two');
    const renewed = await Promise.all(Array.from({ length: 5 }, () => credentials.renew(first)));
    for (const identity of renewed) assert.equal(identity?.headers['authorization'], 'Bearer two');
  });

  it('keeps the old token while its file is missing, until a server refuses the token', async () => {
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

  describe('after a server refused the credentials', () => {
    const serverOf = 'https://c';
    const rewrite = (user: object, server = serverOf) => write('config', kubeconfig(server, user));

    /** The authorization header after a refusal of the current one. Undefined if it is the same. */
    const refuse = async ({ credentials }: Awaited<ReturnType<typeof start>>) => {
      const renewed = await credentials.renew(await credentials.identity());
      return renewed?.headers['authorization'];
    };
    const start = async (user: object) => {
      const kubeconfigPath = await rewrite(user);
      const { clock, loading } = load({}, { kubeconfig: kubeconfigPath });
      return { clock, credentials: await loading };
    };

    it('reads a kubeconfig that was rewritten with another token', async () => {
      const loaded = await start({ token: 'one' });
      assert.equal(await refuse(loaded), undefined);
      for (const token of ['two', 'three']) {
        await rewrite({ token });
        await loaded.clock.advance(1_000);
        assert.equal(await refuse(loaded), `Bearer ${token}`);
      }
    });

    it('follows a kubeconfig that changes to another kind of credentials', async () => {
      const loaded = await start({ token: 'one' });
      const tokenFile = await write('token', 'two');
      await rewrite({ tokenFile });
      assert.equal(await refuse(loaded), 'Bearer two');
      await write('token', 'three');
      await loaded.clock.advance(30_000);
      const { headers } = await loaded.credentials.identity();
      assert.equal(headers['authorization'], 'Bearer three', 'the new file is followed');
      const status = JSON.stringify({ token: 'four' });
      const apiVersion = 'client.authentication.k8s.io/v1';
      const answer = `{"apiVersion":"${apiVersion}","kind":"ExecCredential","status":${status}}`;
      await rewrite({ exec: { apiVersion, command: '/bin/echo', args: [answer] } });
      assert.equal(await refuse(loaded), 'Bearer four');
      await rewrite({ username: 'u', password: 'p' });
      await loaded.clock.advance(1_000);
      assert.equal(await refuse(loaded), `Basic ${btoa('u:p')}`);
    });

    it('keeps the old credentials while the kubeconfig is half written', async () => {
      const loaded = await start({ token: 'one' });
      const { credentials, clock } = loaded;
      const first = await credentials.identity();
      await write('config', '{');
      await assert.rejects(credentials.renew(first), { code: 'KubeconfigInvalid' });
      assert.equal(await credentials.identity(), first);
      await rewrite({ token: 'two' });
      await clock.advance(1_000);
      assert.equal(await refuse(loaded), 'Bearer two');
    });

    for (const how of ['is gone', 'names another server'] as const) {
      it(`asks an exec plugin for new credentials even if the kubeconfig ${how}`, async () => {
        const apiVersion = 'client.authentication.k8s.io/v1';
        const script = `n=$(cat "$0.n" 2>/dev/null || echo 0); echo $((n + 1)) >"$0.n"
printf '{"apiVersion":"${apiVersion}","kind":"ExecCredential","status":{"token":"t%s"}}' "$n"`;
        const path = await write('plugin.sh', script);
        const exec = { apiVersion, command: '/bin/sh', args: [path], interactiveMode: 'Never' };
        const loaded = await start({ exec });
        const first = await loaded.credentials.identity();
        assert.equal(first.headers['authorization'], 'Bearer t0');
        if (how === 'is gone') await rm(await rewrite({ exec }));
        else await rewrite({ exec }, 'https://another');
        assert.equal(await refuse(loaded), 'Bearer t1');
        assert.match(loaded.credentials.server, /^https:\/\/c\b/);
      });
    }

    it('never sends the credentials of another cluster to this one', async () => {
      const { credentials } = await start({ token: 'one' });
      const first = await credentials.identity();
      await rewrite({ token: 'two' }, 'https://another');
      await assert.rejects(credentials.renew(first), {
        code: 'ServerAddressChanged',
        message:
          /^The server in the kubeconfig \S+config is now https:\/\/another, but .* https:\/\/c\./,
      });
      assert.equal(await credentials.identity(), first);
    });

    it('names the origin of the credentials and what to do', async () => {
      const { credentials } = await start({ token: 'one' });
      assert.match(credentials.origin.name, /^the kubeconfig \S+config$/);
      const pod = { KUBERNETES_SERVICE_HOST: '::1', KUBERNETES_SERVICE_PORT: '443' };
      assert.match(
        inClusterSettings(pod, '/run/account')?.origin.name ?? '',
        /^the token file \/run\/account\/token$/,
      );
      const { origin } = await load({}, { server: 'https://c' }).loading;
      assert.match(origin.remedy, /--kubeconfig/);
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
      says: /users\["u"\]\.token in \S+ contains no valid token/,
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
      says: /client-certificate-data in \S+ has no matching client key/,
    },
    {
      name: 'an invalid certificate',
      user: { 'client-certificate-data': 'eA==', 'client-key-data': 'eA==' },
      code: 'CertificateInvalid',
      says: /client-certificate-data in \S+ contains no certificate/,
    },
  ];
  for (const { name, user, code, says } of bad) {
    it(`rejects ${name}, and names the field`, async () => {
      const path = await write('config', kubeconfig('https://c', user));
      await assert.rejects(load({}, { kubeconfig: path }).loading, { code, message: says });
    });
  }

  it('names the file that the service account of a pod lacks', async () => {
    const pod = { KUBERNETES_SERVICE_HOST: 'fd00::1', KUBERNETES_SERVICE_PORT: '443' };
    const { loading } = load(pod, { serviceAccountDirectory: directory });
    await assert.rejects(loading, {
      code: 'CertificateInvalid',
      message: /ca\.crt, named by the service account of this pod, cannot be read/,
    });
  });
});
