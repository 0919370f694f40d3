/**
 * Credentials from real files and real programs: certificates that rotate or do not fit, and exec
 * plug-ins that answer, fail, hang and talk nonsense. Each failure is one error that names what to mend.
 */
import assert from 'node:assert/strict';
import { X509Certificate } from 'node:crypto';
import { type Credentials, loadCredentials } from '@tandem/kube/credentials';
import {
  createLogger,
  createMetrics,
  type Metrics,
  systemClock,
  systemEnvironment,
} from '@tandem/runtime';
import { type VirtualClock, virtualClock } from '@tandem/runtime/testing';
import { createAuthority, eventually } from '../../control-plane/index.ts';
import { aKubeconfig, base64, createFiles, type Files } from './client-files.ts';

const startMs = Date.UTC(2026, 0, 1);
const server = 'https://10.0.0.1:6443';
const authority = createAuthority('an authority', systemClock.now());
const pairOf = (commonName: string) => authority.issue({ commonName, uses: ['clientAuth'] });

describe('credentials', () => {
  let files: Files;
  let clock: VirtualClock;
  let metrics: Metrics;

  beforeEach(async () => {
    files = await createFiles();
    clock = virtualClock({ startMs });
    metrics = createMetrics();
  });
  afterEach(() => files[Symbol.asyncDispose]());

  async function load(cluster: object, user: object): Promise<Credentials> {
    const kubeconfig = await files.write('config', aKubeconfig({ server, ...cluster }, user));
    const environment = { ...systemEnvironment(), KUBECONFIG: kubeconfig };
    const logger = createLogger({ clock, destination: { write: () => undefined } });
    return loadCredentials({ environment, clock, telemetry: { logger, metrics } });
  }

  async function expiryOf(kind: 'certificate' | 'token'): Promise<number> {
    const name = 'tandem_credentials_expiry_timestamp_seconds';
    const series = `${name}{flag="kubeconfig",kind="${kind}"} `;
    const lines = (await metrics.render()).split('\n');
    return Number(lines.find((line) => line.startsWith(series))?.slice(series.length));
  }

  describe('from certificates', () => {
    const byFile = { 'client-certificate': 'u.crt', 'client-key': 'u.key' };

    it('change when all of their files have, and not in between', async () => {
      const [first, second] = [pairOf('first'), pairOf('second')];
      await files.write('u.crt', first.cert);
      await files.write('u.key', first.key);
      const credentials = await load({}, byFile);
      const old = await credentials.identity();
      await files.write('u.crt', second.cert);
      await clock.advance(60_000);
      assert.equal(await credentials.identity(), old, 'half of a rotation');
      await files.write('u.key', second.key);
      await clock.advance(60_000);
      assert.equal((await credentials.identity()).tls.cert, second.cert);
      assert.equal(await credentials.identity(), await credentials.identity());
    });

    it('show when the certificate expires', async () => {
      const { cert, key } = pairOf('short-lived');
      await files.write('u.crt', cert);
      await files.write('u.key', key);
      await load({}, byFile);
      const wantMs = new X509Certificate(cert).validToDate.getTime();
      assert.equal(await expiryOf('certificate'), wantMs / 1000);
    });

    it('trust a bundle of authorities', async () => {
      const ca = authority.cert + createAuthority('another', systemClock.now()).cert;
      const { tls } = await (
        await load({ 'certificate-authority-data': base64(ca) }, {})
      ).identity();
      assert.equal(tls.ca, ca);
    });

    const cut = authority.cert.replace(/\n.{20}/, '\n');
    const [one, two] = [pairOf('one'), pairOf('two')];
    const pair = (cert: string, key: string) => ({
      'client-certificate-data': base64(cert),
      'client-key-data': base64(key),
    });
    const bad: { name: string; cluster?: object; user?: object; says: RegExp }[] = [
      {
        name: 'an authority that was cut short',
        cluster: { 'certificate-authority-data': base64(cut) },
        says: /^clusters\["c"\]\.certificate-authority-data in \S+config contains an unreadable certificate/,
      },
      {
        name: 'an authority that is a directory',
        cluster: { 'certificate-authority': '.' },
        says: /named by clusters\["c"\]\.certificate-authority in \S+config, cannot be read \(EISDIR\)/,
      },
      {
        name: 'a key that is none',
        user: pair(one.cert, 'hello'),
        says: /^users\["u"\]\.client-key-data in \S+config contains no readable private key/,
      },
      {
        name: 'a key of somebody else',
        user: pair(one.cert, two.key),
        says: /^users\["u"\]\.client-key-data in \S+config does not match the client certificate/,
      },
    ];
    for (const { name, cluster = {}, user = {}, says } of bad) {
      it(`are refused for ${name}`, async () => {
        await assert.rejects(load(cluster, user), { code: 'CertificateInvalid', message: says });
      });
    }
  });

  describe('from an exec plug-in', () => {
    const apiVersion = 'client.authentication.k8s.io/v1';
    const exec = (settings: object = {}) => ({
      exec: { apiVersion, command: './plugin', interactiveMode: 'Never', ...settings },
    });
    const answer = (status: object): string =>
      JSON.stringify({ apiVersion, kind: 'ExecCredential', status });

    it('are asked for with its arguments, its environment and what it is to know', async () => {
      await files.script(
        'plugin',
        'echo "$1 $PROFILE $KUBERNETES_EXEC_INFO" > "$2"',
        `echo '${answer({ token: 'secret' })}'`,
      );
      const settings = {
        args: ['--quiet', files.path('seen')],
        env: [{ name: 'PROFILE', value: 'work' }],
        provideClusterInfo: true,
      };
      const { headers } = await (await load({}, exec(settings))).identity();
      assert.equal(headers['authorization'], 'Bearer secret');
      const info = {
        kind: 'ExecCredential',
        apiVersion,
        spec: { interactive: false, cluster: { server } },
      };
      assert.equal(await files.read('seen'), `--quiet work ${JSON.stringify(info)}\n`);
    });

    it('are used until they expire, and fetched again then', async () => {
      const status = { token: 'TOKEN', expirationTimestamp: '2026-01-01T01:00:00Z' };
      await files.script(
        'plugin',
        'cd "$(dirname "$0")"; echo x >> runs',
        `echo '${answer(status)}' | sed "s/TOKEN/$(wc -l < runs | tr -d ' ')/"`,
      );
      const credentials = await load({}, exec());
      const token = async () => (await credentials.identity()).headers['authorization'];
      assert.equal(await token(), 'Bearer 1');
      await clock.advance(59 * 60_000 - 1);
      assert.equal(await token(), 'Bearer 1');
      await clock.advance(30_000);
      assert.equal(await token(), 'Bearer 2');
    });

    for (const { name, lines, atMs, waitMs } of [
      { name: 'fails once', lines: ['exit 1'], atMs: 59.5 * 60_000, waitMs: 0 },
      {
        name: 'hangs once',
        lines: ['echo x > hangs; exec sleep 1000'],
        atMs: 59 * 60_000,
        waitMs: 1_000,
      },
    ]) {
      it(`stay in use while the plug-in ${name}, and are fetched again before they expire`, async () => {
        const inFolder = 'cd "$(dirname "$0")"';
        const answerOf = (token: string, expirationTimestamp: string): string =>
          `echo '${answer({ token, expirationTimestamp })}'`;
        await files.script('plugin', answerOf('old', '2026-01-01T01:00:00Z'));
        const credentials = await load({}, exec());
        const token = async () => (await credentials.identity()).headers['authorization'];
        await files.script('plugin', inFolder, ...lines);
        await clock.advance(atMs);
        const first = token();
        if (waitMs > 0) {
          await eventually(() => files.read('hangs').catch(() => undefined));
          await clock.advance(waitMs);
        }
        assert.equal(await first, 'Bearer old');
        assert.equal(await token(), 'Bearer old');
        await files.script('plugin', answerOf('new', '2026-01-01T02:00:00Z'));
        // A run that hangs is ended after 30 s; the one after it has a pause of 5 s to wait for.
        if (waitMs > 0) await clock.advance(30_000);
        await eventually(async () => {
          await clock.advance(5_000);
          return (await token()) === 'Bearer new';
        });
        assert.ok(clock.now() < Date.parse('2026-01-01T01:00:00Z'), 'before the old one expired');
      });
    }

    it('are fetched again when a server refuses them, but not for every refusal', async () => {
      await files.script(
        'plugin',
        'cd "$(dirname "$0")"; echo x >> runs',
        `echo '${answer({ token: 'TOKEN' })}' | sed "s/TOKEN/$(wc -l < runs | tr -d ' ')/"`,
      );
      const credentials = await load({}, exec());
      const first = await credentials.identity();
      const second = await credentials.renew(first);
      assert.equal(second?.headers['authorization'], 'Bearer 2');
      assert.ok(second !== undefined);
      assert.equal(await credentials.renew(second), undefined);
    });

    it('show when the answer expires', async () => {
      const expirationTimestamp = '2026-01-01T01:00:00Z';
      await files.script('plugin', `echo '${answer({ token: 'opaque', expirationTimestamp })}'`);
      await load({}, exec());
      assert.equal(await expiryOf('token'), Date.parse(expirationTimestamp) / 1000);
    });

    it('may be a certificate', async () => {
      const { cert, key } = pairOf('by plug-in');
      const status = { clientCertificateData: cert, clientKeyData: key };
      await files.write('answer', answer(status));
      await files.script('plugin', `cat ${files.path('answer')}`);
      const { tls } = await (await load({}, exec())).identity();
      assert.deepEqual([tls.cert, tls.key], [cert, key]);
    });

    it('are refused for a certificate and a key that do not fit', async () => {
      const status = { clientCertificateData: pairOf('a').cert, clientKeyData: pairOf('b').key };
      await files.write('answer', answer(status));
      await files.script('plugin', `cat ${files.path('answer')}`);
      await assert.rejects(load({}, exec()), {
        code: 'CertificateInvalid',
        message: /^The key of the exec plugin \S+plugin does not match the client certificate/,
      });
    });

    const bad: { name: string; settings?: object; lines: string[]; says: RegExp }[] = [
      {
        name: 'is missing',
        settings: { command: 'no-such-plugin', installHint: 'Get it from the app store.' },
        lines: [],
        says: /^The exec plugin no-such-plugin \(users\["u"\]\.exec in \S+config\) could not be started \(ENOENT\)\. Get it from the app store\.$/,
      },
      {
        name: 'fails',
        lines: ['echo "not logged in" >&2', 'exit 3'],
        says: /plugin \(users\["u"\]\.exec in \S+config\) exited with code 3\. It printed: "not logged in"\. Run it by hand/,
      },
      { name: 'dies', lines: ['kill -9 $$'], says: /was killed by SIGKILL/ },
      {
        name: 'says nothing',
        lines: [],
        says: /returned an invalid answer: its output is not JSON/,
      },
      {
        name: 'talks nonsense',
        lines: ['echo "{}"'],
        says: /invalid answer: its output is not an ExecCredential/,
      },
      { name: 'does not stop', lines: ['exec yes'], says: /printed too much output/ },
    ];
    for (const { name, settings = {}, lines, says } of bad) {
      it(`are refused when it ${name}`, async () => {
        await files.script('plugin', ...lines);
        await assert.rejects(load({}, exec(settings)), { code: 'ExecPluginFailed', message: says });
        assert.equal(clock.pending, 0);
      });
    }

    it('are refused when it hangs, and all that it started is ended', async () => {
      await files.script('plugin', `sleep 1000 & echo $! > ${files.path('pid')}; wait`);
      const refused = assert.rejects(load({}, exec()), {
        code: 'ExecPluginFailed',
        message: /did not answer within 30 s and was killed\. Run it by hand/,
      });
      const pid = await eventually(async () => Number(await files.read('pid')) || undefined);
      await clock.advance(30_000);
      await refused;
      await eventually(() => !isRunning(pid));
    });
  });
});

function isRunning(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
}
