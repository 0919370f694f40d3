/** Tests the checks of `--manager-ca` before the plugin calls the manager. */
import assert from 'node:assert/strict';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { readAuthority } from './manager.ts';

describe('the file of --manager-ca', () => {
  let directory: string;
  before(async () => {
    directory = await mkdtemp(join(tmpdir(), 'tandem-manager-ca-'));
  });
  after(() => rm(directory, { recursive: true }));

  const refused = [
    { name: 'empty', text: '', says: /^--manager-ca ".*empty" contains no certificate\./ },
    {
      name: 'a-key',
      text: '-----BEGIN PRIVATE KEY-----\nAAAA\n-----END PRIVATE KEY-----\n',
      says: /contains no certificate/,
    },
    {
      name: 'truncated',
      text: '-----BEGIN CERTIFICATE-----\nMIIB\n-----END CERTIFICATE-----\n',
      says: /contains an unreadable certificate/,
    },
  ];
  for (const { name, text, says } of refused) {
    it(`is refused as bad input: ${name}`, async () => {
      const file = join(directory, name);
      await writeFile(file, text);
      await assert.rejects(readAuthority(file), { exitCode: 2, message: says });
    });
  }

  it('is refused when it does not exist', async () => {
    const file = join(directory, 'missing');
    const message = /^--manager-ca cannot be read: ENOENT/;
    await assert.rejects(readAuthority(file), { exitCode: 2, message });
  });
});
