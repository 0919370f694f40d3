import assert from 'node:assert/strict';
import { X509Certificate } from 'node:crypto';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { readCertificate } from './client-certificate.ts';
import {
  clientCertificate,
  elliptic,
  legacy,
  today,
  withoutKey,
  withoutPassword,
} from './client-certificate.fixture.ts';
import { Secret } from './config/secret.ts';

const client = { kind: 'clientCertificate', tenantId: 'tenant', clientId: 'client' } as const;

describe('a PFX with a client certificate', () => {
  let folder: string;
  before(async () => {
    folder = await mkdtemp(join(tmpdir(), 'tandem-pfx-'));
  });
  after(() => rm(folder, { recursive: true }));

  const read = async (file: Buffer, password?: string): Promise<string> => {
    const path = join(folder, 'client.pfx');
    await writeFile(path, file);
    const secret = password === undefined ? undefined : new Secret(password);
    return readCertificate({ ...client, path, password: secret });
  };

  const readable = [
    { name: 'with current encryption', file: today, password: 'open', length: 2 },
    { name: 'with legacy encryption', file: legacy, password: 'open', length: 2 },
    { name: 'without a password', file: withoutPassword, password: undefined, length: 1 },
  ];
  for (const { name, file, password, length } of readable) {
    it(`${name} yields its key and its certificates, that of the key first and unchanged`, async () => {
      const pem = await read(file, password);
      assert.match(pem, /^-----BEGIN PRIVATE KEY-----\n/);
      const certificates = pem.match(/-----BEGIN CERTIFICATE-----.+?-----END CERTIFICATE-----/gs);
      assert.equal(certificates?.length, length);
      const want = new X509Certificate(clientCertificate).fingerprint256;
      assert.equal(new X509Certificate(certificates[0] ?? '').fingerprint256, want);
    });
  }

  const refused = [
    { name: 'the wrong password', file: today, password: 'shut', want: /cannot be opened/ },
    {
      name: 'legacy encryption and the wrong password',
      file: legacy,
      password: '',
      want: /cannot be opened/,
    },
    {
      name: 'no key',
      file: withoutKey,
      password: 'open',
      want: /must have a certificate and its RSA/,
    },
    { name: 'a key that is not RSA', file: elliptic, password: 'open', want: /its RSA key/ },
    {
      name: 'half of its bytes missing',
      file: today.subarray(0, 900),
      password: 'open',
      want: /PKCS#12/,
    },
    { name: 'no content', file: Buffer.alloc(0), password: 'open', want: /PKCS#12/ },
    { name: 'megabytes of other data', file: Buffer.alloc(2_000_000, 48), want: /PKCS#12/ },
  ];
  for (const { name, file, password, want } of refused) {
    it(`with ${name} is refused with a message that names the file`, async () => {
      await assert.rejects(read(file, password), (err: Error) => {
        assert.match(err.message, want);
        assert.match(err.message, /client\.pfx/);
        assert.equal(err.cause, undefined);
        return true;
      });
    });
  }
});
