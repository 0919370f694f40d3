import assert from 'node:assert/strict';
import { createLogger } from '@tandem/runtime';
import { virtualClock } from '@tandem/runtime/testing';
import { readConfig } from './read-config.ts';

const logger = createLogger({ clock: virtualClock(), destination: { write: () => {} } });

describe('the file of --cloud-config', () => {
  it('is optional', async () => {
    assert.deepEqual((await readConfig(undefined, logger)).families, ['IPv4']);
  });

  const unreadable = [
    {
      name: 'does not exist',
      path: '/nowhere/cloud.conf',
      want: '--cloud-config: /nowhere/cloud.conf does not exist. Check the path.',
    },
    {
      name: 'is a folder',
      path: import.meta.dirname,
      want: `--cloud-config: ${import.meta.dirname} is a directory. Give the path of a file.`,
    },
  ];
  for (const { name, path, want } of unreadable) {
    it(`is an error with its path if it ${name}`, () =>
      assert.rejects(readConfig(path, logger), {
        code: 'AWSConfigInvalid',
        retry: 'never',
        message: want,
      }));
  }
});
