import assert from 'node:assert/strict';
import { unreadableFile } from './unreadable-file.ts';

describe('a file that cannot be read', () => {
  const permissions = 'Check the permissions of the file and its directories.';
  const cases = [
    { code: 'ENOENT', want: 'does not exist. Check the path.' },
    { code: 'EISDIR', want: 'is a directory. Give the path of a file.' },
    { code: 'EACCES', want: `cannot be read (EACCES). ${permissions}` },
    { code: 7, want: `cannot be read (unknown reason). ${permissions}` },
  ];
  for (const { code, want } of cases) {
    it(`is reported with its flag, its path and advice: ${code}`, () => {
      const err = Object.assign(new Error('a secret of the system'), { code });
      const file = { namedBy: '--config', path: '/etc/ccm.yaml' };
      const { problem, fix } = unreadableFile(err, file);
      assert.equal(`${problem} ${fix}`, `--config: /etc/ccm.yaml ${want}`);
    });
  }
});
