import assert from 'node:assert/strict';
import { createLogger } from '@tandem/runtime';
import { type VirtualClock, virtualClock } from '@tandem/runtime/testing';
import { dayMs, issue, type Issued } from '../certificates/issue.fixture.ts';
import type { ServingFiles } from '../files.ts';
import type { CertificateSource } from '../serving-settings.ts';
import type { KeyPair } from './key-pair.ts';
import { fileSource, pairSourceOf } from './pair-source.ts';
import { ServedCertificates } from './served-certificates.ts';

interface TestedCertificates {
  readonly clock: VirtualClock;
  readonly texts: Map<string, string>;
  readonly log: string[];
  readonly mains: KeyPair[];
  /** The certificates that no cipher suite fits. */
  readonly warned: string[];
  readonly certificates: ServedCertificates;
}

function aSource(
  source: CertificateSource,
  given: Record<string, string> = {},
): TestedCertificates {
  const clock = virtualClock({ startMs: dayMs });
  const texts = new Map(Object.entries(given));
  const files: ServingFiles = {
    read: (path) => {
      const text = texts.get(path);
      return text === undefined
        ? Promise.reject(Object.assign(new Error('gone'), { code: 'ENOENT' }))
        : Promise.resolve(text);
    },
    write: (path, text) => Promise.resolve(void texts.set(path, text)),
  };
  const log: string[] = [];
  const mains: KeyPair[] = [];
  const warned: string[] = [];
  const certificates = new ServedCertificates({
    main: pairSourceOf(source, { files, clock, hosts: ['localhost'] }),
    byName: [
      {
        source: fileSource({ certFile: '/sni.crt', keyFile: '/sni.key' }, { files }),
        names: [],
      },
    ].filter(() => texts.has('/sni.crt')),
    tls: {},
    warningOf: ({ cert }) => (warned.includes(cert) ? 'no suite works' : undefined),
    clock,
    logger: createLogger({ clock, destination: { write: (line) => void log.push(line) } }),
    onMain: (pair) => void mains.push(pair),
  });
  return { clock, texts, log, mains, warned, certificates };
}

const files = { kind: 'files', certFile: '/a.crt', keyFile: '/a.key' } as const;
const asFiles = ({ certPem, keyPem }: Issued): Record<string, string> => ({
  '/a.crt': certPem,
  '/a.key': keyPem,
});

describe('served certificates', () => {
  it('cause one warning when no cipher suite fits them, and another when they change', async () => {
    const [first, second] = [issue(), issue()];
    const { certificates, texts, log, warned } = aSource(files, asFiles(first));
    warned.push(first.certPem, second.certPem);
    await certificates.load();
    await certificates.refresh();
    const warningCount = (): number =>
      log.filter((line) => /TLS 1.2 clients cannot connect/.test(line)).length;
    assert.equal(warningCount(), 1);
    for (const [path, text] of Object.entries(asFiles(second))) texts.set(path, text);
    await certificates.refresh();
    assert.equal(warningCount(), 2);
  });

  it('change only when their files change', async () => {
    const [first, second] = [issue(), issue()];
    const { certificates, texts, mains } = aSource(files, asFiles(first));
    await certificates.load();
    await certificates.refresh();
    assert.deepEqual(
      mains.map(({ cert }) => cert),
      [first.certPem],
    );
    for (const [path, text] of Object.entries(asFiles(second))) texts.set(path, text);
    await certificates.refresh();
    assert.equal(mains.at(-1)?.cert, second.certPem);
  });

  it('stay while their files do not match or one is missing, and each problem is logged once', async () => {
    const { certificates, texts, mains, log } = aSource(files, asFiles(issue()));
    await certificates.load();
    texts.set('/a.crt', issue().certPem);
    await certificates.refresh();
    await certificates.refresh();
    texts.delete('/a.key');
    await certificates.refresh();
    assert.equal(mains.length, 1);
    const problems = log.map((line) => JSON.parse(line).problem);
    assert.deepEqual(problems, [
      'The certificate in /a.crt and the private key in /a.key do not match. ' +
        'Use a certificate and a key that were issued together.',
      '/a.key does not exist. Use a file in PEM format that the manager can read.',
    ]);
  });

  it('cause a warning in the log and in the health check when they expire', async () => {
    const { certificates, clock, log } = aSource(files, asFiles(issue({ untilMs: 3 * dayMs })));
    await certificates.load();
    assert.deepEqual(certificates.health(), { ok: true });
    await clock.advance(3 * dayMs);
    await certificates.refresh();
    await certificates.refresh();
    assert.deepEqual(certificates.health(), { ok: true, warning: 'certificate has expired' });
    assert.deepEqual(
      log.map((line) => JSON.parse(line).msg),
      ['Serving certificate expired'],
    );
  });

  it('are renewed a month before they expire if they are self-signed', async () => {
    const { certificates, clock, mains } = aSource({ kind: 'self-signed' });
    await certificates.load();
    await clock.advance(330 * dayMs);
    await certificates.refresh();
    assert.equal(mains.length, 1);
    await clock.advance(10 * dayMs);
    await certificates.refresh();
    assert.equal(mains.length, 2);
    assert.deepEqual(certificates.health(), { ok: true });
  });

  it('are written to an empty directory, and never over existing files', async () => {
    const source = { kind: 'directory', directory: '/certs' } as const;
    const empty = aSource(source);
    await empty.certificates.load();
    assert.deepEqual([...empty.texts.keys()].toSorted(), [
      '/certs/cloud-controller-manager.crt',
      '/certs/cloud-controller-manager.key',
    ]);
    const lone = aSource(source, { '/certs/cloud-controller-manager.crt': issue().certPem });
    await assert.rejects(lone.certificates.load(), {
      message: /^\/certs\/cloud-controller-manager\.key does not exist/,
    });
    assert.equal(lone.texts.size, 1);
  });

  it('for single host names follow their own files', async () => {
    const special = issue({ dnsNames: ['Special.example', '*.wide.example'] });
    const { certificates, texts } = aSource(files, {
      ...asFiles(issue()),
      '/sni.crt': special.certPem,
      '/sni.key': special.keyPem,
    });
    await certificates.load();
    const context = certificates.contextFor('special.example');
    assert.ok(context);
    assert.equal(certificates.contextFor('SPECIAL.example.'), context);
    assert.equal(certificates.contextFor('a.wide.example'), context);
    for (const other of ['wide.example', 'a.b.wide.example', 'example', '']) {
      assert.equal(certificates.contextFor(other), undefined, other);
    }
    const next = issue({ dnsNames: ['next.example'] });
    texts.set('/sni.crt', next.certPem).set('/sni.key', next.keyPem);
    await certificates.refresh();
    assert.equal(certificates.contextFor('special.example'), undefined);
    assert.ok(certificates.contextFor('next.example'));
  });
});
