/**
 * What the secure port shows in the handshake, on real sockets: the certificate of the settings, the
 * one that took its place, and only the versions, ciphers and curves that were asked for.
 */
import assert from 'node:assert/strict';
import { isIPv6 } from 'node:net';
import { X509Certificate } from 'node:crypto';
import { mkdtemp, readFile, rm, stat } from 'node:fs/promises';
import { networkInterfaces, tmpdir } from 'node:os';
import { join } from 'node:path';
import { localFiles, type ServingSettings } from '@tandem/serving';
import { systemClock, type Clock } from '@tandem/runtime';
import { createAuthority, eventually } from '../../control-plane/index.ts';
import { memoryFiles, type SecureServer, serverPair, startSecureServer } from './secure-server.ts';

async function shown(server: SecureServer, tls: object = {}): Promise<X509Certificate> {
  const socket = await server.dial(tls);
  const certificate = socket.getPeerX509Certificate();
  socket.destroy();
  assert.ok(certificate);
  return certificate;
}

/** Of every family that this machine has. */
function loopbacks(): string[] {
  const addresses = Object.values(networkInterfaces()).flatMap((each) => each ?? []);
  const hasIpv6 = addresses.some(({ address }) => address === '::1');
  return hasIpv6 ? ['127.0.0.1', '::1'] : ['127.0.0.1'];
}

describe('the certificate of the secure port', () => {
  it('is made in memory where none is given, for this machine', async () => {
    await using server = await startSecureServer({
      settings: { certificate: { kind: 'self-signed' } },
    });
    const certificate = await shown(server, { rejectUnauthorized: false });
    for (const name of ['localhost', 'manager.example'])
      assert.ok(certificate.checkHost(name), name);
    for (const address of ['127.0.0.1', '::1']) assert.ok(certificate.checkIP(address), address);
    const authority = certificate.issuerCertificate;
    assert.ok(authority?.ca);
    // Whoever trusts its authority may verify it like any other.
    const tls = { ca: authority.toString() };
    assert.equal((await server.ask({ tls })).status, 200);
    assert.equal((await server.ask({ tls: { ...tls, servername: 'localhost' } })).status, 200);
  });

  it('is warned of where no cipher suite that was chosen works with it', async () => {
    const rsa = 'TLS_ECDHE_RSA_WITH_AES_128_GCM_SHA256';
    const tls = { cipherSuites: [rsa], curvePreferences: [], minVersion: 'VersionTLS12' } as const;
    const certificate = { kind: 'self-signed' } as const;
    await using server = await startSecureServer({ settings: { certificate, tls } });
    assert.match(server.log(), /TLS 1\.2 clients cannot connect/);
    const old = { rejectUnauthorized: false, maxVersion: 'TLSv1.2' };
    await assert.rejects(shown(server, old), 'and so it is');
    await using strict = await startSecureServer({
      settings: { certificate, tls: { ...tls, minVersion: 'VersionTLS13' } },
    });
    assert.match(strict.log(), /Cipher suites have no effect/);
  });

  it('is written to the directory of --cert-dir once, and used from there', async () => {
    const directory = await mkdtemp(join(tmpdir(), 'tandem-serving-'));
    try {
      const certificate = { kind: 'directory', directory: join(directory, 'certs') } as const;
      const path = (end: string): string =>
        join(directory, 'certs', `cloud-controller-manager.${end}`);
      const fingerprints: string[] = [];
      for (let start = 0; start < 2; start++) {
        await using server = await startSecureServer({
          settings: { certificate },
          files: localFiles,
        });
        fingerprints.push((await shown(server, { rejectUnauthorized: false })).fingerprint256);
      }
      assert.equal(fingerprints[0], fingerprints[1]);
      const written = new X509Certificate(await readFile(path('crt'), 'utf8'));
      assert.equal(written.fingerprint256, fingerprints[0]);
      assert.equal((await stat(path('key'))).mode & 0o777, 0o600);
    } finally {
      await rm(directory, { recursive: true, force: true });
    }
  });

  it('follows its files, and keeps the last good pair meanwhile', async () => {
    const [first, second] = [serverPair(), serverPair()];
    const texts = new Map([
      ['/tls/tls.crt', first.cert],
      ['/tls/tls.key', first.key],
    ]);
    // Twenty times as fast, so that a minute takes three seconds.
    const clock: Clock = {
      ...systemClock,
      after: (delayMs, callback) => systemClock.after(delayMs / 20, callback),
    };
    await using server = await startSecureServer({ files: memoryFiles(texts), clock });
    const print = async (): Promise<string> => (await shown(server)).fingerprint256;
    const printOf = ({ cert }: { cert: string }): string =>
      new X509Certificate(cert).fingerprint256;
    assert.equal(await print(), printOf(first));
    texts.set('/tls/tls.crt', second.cert);
    await eventually(() => server.log().includes('Kept the previous serving certificate'));
    assert.equal(await print(), printOf(first));
    assert.match(
      server.log(),
      /\/tls\/tls\.crt and the private key in \/tls\/tls\.key do not match/,
    );
    texts.set('/tls/tls.key', second.key);
    await eventually(async () => (await print()) === printOf(second));
    assert.equal(
      server.log().split('Kept the previous serving certificate').length,
      2,
      'said once',
    );
    for (const { key } of [first, second]) {
      assert.ok(!server.log().includes(key.split('\n')[1] ?? ''), 'no key in the log');
    }
  });

  it('is served although it has expired, with a warning in the log and in health', async () => {
    const longAgo = systemClock.now() - 90 * 24 * 3_600_000;
    const old = createAuthority('old', longAgo).issue({
      commonName: 'old',
      hosts: ['127.0.0.1'],
      uses: ['serverAuth'],
    });
    const texts = new Map([
      ['/tls/tls.crt', old.cert],
      ['/tls/tls.key', old.key],
    ]);
    await using server = await startSecureServer({ files: memoryFiles(texts) });
    const tls = { rejectUnauthorized: false };
    const { status, text } = await server.ask({ path: '/readyz?verbose', tls });
    assert.equal(status, 200);
    assert.match(text, /\[\+\]serving-certificate ok \(warning: certificate has expired\)/);
    assert.match(server.log(), /"level":"warn".*Serving certificate expired/);
  });

  it('refuses to start with files that are missing, broken or do not match, by their names', async () => {
    const { cert, key } = serverPair();
    const cases: readonly [Record<string, string>, RegExp][] = [
      [{ '/tls/tls.key': key }, /^\/tls\/tls\.crt does not exist/],
      [{ '/tls/tls.crt': cert }, /^\/tls\/tls\.key does not exist/],
      [
        { '/tls/tls.crt': 'rubbish', '/tls/tls.key': key },
        /^\/tls\/tls\.crt has no readable certificate/,
      ],
      [
        { '/tls/tls.crt': cert, '/tls/tls.key': 'rubbish' },
        /^\/tls\/tls\.key has no readable private key/,
      ],
      [
        { '/tls/tls.crt': cert, '/tls/tls.key': serverPair().key },
        /^The certificate in \/tls\/tls\.crt and the private key in \/tls\/tls\.key do not match/,
      ],
    ];
    for (const [texts, message] of cases) {
      const start = startSecureServer({ files: memoryFiles(new Map(Object.entries(texts))) });
      await assert.rejects(start, { code: 'ServingCertificateInvalid', message });
    }
  });

  it('is another one for another name', async () => {
    const special = serverPair(['special.example', '*.wide.example']);
    const named = serverPair(['unused.example']);
    const main = serverPair();
    const texts = new Map([
      ['/tls/tls.crt', main.cert],
      ['/tls/tls.key', main.key],
      ['/s.crt', special.cert],
      ['/s.key', special.key],
      ['/n.crt', named.cert],
      ['/n.key', named.key],
    ]);
    const sniCertificates = [
      { certFile: '/s.crt', keyFile: '/s.key', names: [] },
      { certFile: '/n.crt', keyFile: '/n.key', names: ['named.example'] },
    ];
    await using server = await startSecureServer({
      files: memoryFiles(texts),
      settings: { sniCertificates },
    });
    const wanted = [
      ['special.example', special],
      ['a.wide.example', special],
      ['a.b.wide.example', main],
      ['named.example', named],
      ['unused.example', main],
      ['localhost', main],
    ] as const;
    for (const [servername, pair] of wanted) {
      const tls = { servername, checkServerIdentity: () => undefined };
      const { fingerprint256 } = await shown(server, tls);
      assert.equal(fingerprint256, new X509Certificate(pair.cert).fingerprint256, servername);
    }
  });
});

describe('TLS on the secure port', () => {
  const dialled = async (server: SecureServer, tls: object): Promise<string> => {
    const socket = await server.dial(tls);
    const { name } = socket.getCipher();
    const protocol = socket.getProtocol();
    socket.destroy();
    return `${protocol} ${name}`;
  };
  const withTls = (tls: Partial<ServingSettings['tls']>): Promise<SecureServer> =>
    startSecureServer({
      settings: {
        tls: { cipherSuites: [], curvePreferences: [], minVersion: 'VersionTLS12', ...tls },
      },
    });
  const weak = { minVersion: 'TLSv1', ciphers: 'ALL:@SECLEVEL=0' } as const;

  it('is of version 1.2 at the least, without CBC and static RSA', async () => {
    await using server = await withTls({});
    assert.match(await dialled(server, {}), /^TLSv1\.3 /);
    assert.match(await dialled(server, { maxVersion: 'TLSv1.2' }), /^TLSv1\.2 ECDHE-.*GCM/);
    const refused = [
      { ...weak, maxVersion: 'TLSv1.1' },
      { ...weak, maxVersion: 'TLSv1.2', ciphers: 'AES128-GCM-SHA256:@SECLEVEL=0' },
      { ...weak, maxVersion: 'TLSv1.2', ciphers: 'ECDHE-ECDSA-AES128-SHA:@SECLEVEL=0' },
    ];
    for (const tls of refused) await assert.rejects(dialled(server, tls), JSON.stringify(tls));
  });

  it('is of version 1.3 alone if that is asked for', async () => {
    await using server = await withTls({ minVersion: 'VersionTLS13' });
    assert.match(await dialled(server, {}), /^TLSv1\.3 /);
    await assert.rejects(dialled(server, { maxVersion: 'TLSv1.2' }));
  });

  it('has the cipher suites and curves that are asked for, and no others', async () => {
    await using server = await withTls({
      cipherSuites: ['TLS_ECDHE_ECDSA_WITH_AES_256_GCM_SHA384', 'TLS_AES_256_GCM_SHA384'],
      curvePreferences: [24],
    });
    const twelve = { maxVersion: 'TLSv1.2' };
    assert.equal(await dialled(server, twelve), 'TLSv1.2 ECDHE-ECDSA-AES256-GCM-SHA384');
    await assert.rejects(dialled(server, { ...twelve, ciphers: 'ECDHE-ECDSA-AES128-GCM-SHA256' }));
    assert.equal(await dialled(server, {}), 'TLSv1.3 TLS_AES_256_GCM_SHA384');
    await assert.rejects(dialled(server, { ciphers: 'TLS_AES_128_GCM_SHA256' }));
    await assert.rejects(dialled(server, { ecdhCurve: 'X25519' }));
    assert.match(await dialled(server, { ecdhCurve: 'secp384r1' }), /^TLSv1\.3/);
  });

  it('listens on both families for every address, and on one address for one', async () => {
    for (const bindAddress of ['0.0.0.0', '::']) {
      await using server = await startSecureServer({ settings: { bindAddress } });
      for (const host of loopbacks()) {
        assert.equal((await server.ask({ host })).status, 200, `${host} of ${bindAddress}`);
      }
      assert.equal(familiesIn(server.log()), loopbacks().map(familyOf).join(' and '), bindAddress);
    }
    await using server = await startSecureServer();
    assert.equal(familiesIn(server.log()), 'IPv4');
    for (const host of loopbacks().slice(1)) {
      await assert.rejects(server.ask({ host }), { code: 'ECONNREFUSED' });
    }
  });

  it('says which port is taken, and leaves nothing open', async () => {
    await using server = await startSecureServer();
    const second = startSecureServer({ port: server.port });
    await assert.rejects(second, {
      code: 'ServingAddressUnavailable',
      message: new RegExp(`127\\.0\\.0\\.1 port ${server.port} \\(EADDRINUSE\\)`),
    });
    assert.equal((await server.ask()).status, 200);
  });

  it('shares its port where that is permitted and the kernel can', async () => {
    const settings = { permitPortSharing: true };
    await using first = await startSecureServer({ settings });
    await using second = await startSecureServer({ settings, port: first.port });
    assert.equal(second.port, first.port);
    assert.equal((await second.ask()).status, 200);
  });
});

/** What the log says that it listens on. */
function familiesIn(log: string): unknown {
  const lines = log.split('\n').filter((line) => line.includes('Opened the secure port'));
  return lines.map((line) => JSON.parse(line).families)[0];
}

function familyOf(host: string): string {
  return isIPv6(host) ? 'IPv6' : 'IPv4';
}
