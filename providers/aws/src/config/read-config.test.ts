import assert from 'node:assert/strict';
import { createLogger, virtualClock } from '@tandem/runtime';
import { readConfig } from './read-config.ts';

const logger = createLogger({ clock: virtualClock(), destination: { write: () => {} } });

describe('the file of --cloud-config', () => {
  it('is not needed', async () => {
    assert.deepEqual((await readConfig(undefined, logger)).families, ['IPv4']);
  });

  const unreadable = [
    { name: 'does not exist', path: '/nowhere/cloud.conf', want: /ENOENT/ },
    { name: 'is a folder', path: import.meta.dirname, want: /EISDIR/ },
  ];
  for (const { name, path, want } of unreadable) {
    it(`ends the program with its path where it ${name}`, async () => {
      const reading = readConfig(path, logger);
      await assert.rejects(reading, { code: 'AWSConfigInvalid', retry: 'never', message: want });
      await assert.rejects(readConfig(path, logger), (err: Error) =>
        err.message.startsWith(`--cloud-config "${path}" cannot be read: `),
      );
    });
  }
});
