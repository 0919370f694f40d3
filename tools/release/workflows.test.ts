import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parse } from 'yaml';

const folder = join(import.meta.dirname, '../../.github/workflows');
const files = readdirSync(folder);

describe('the workflows', () => {
  for (const file of files) {
    const text = readFileSync(join(folder, file), 'utf8');

    it(`of ${file} pin every action by its commit and name its version`, () => {
      const uses = [...text.matchAll(/\buses: *(.*)$/gm)].map(([, action = '']) => action);
      assert.ok(uses.length > 0);
      for (const action of uses) assert.match(action, /^[\w./-]+@[0-9a-f]{40} # v\d+\.\d+\.\d+$/);
    });

    it(`of ${file} give no permission but to the job that needs it`, () => {
      const { permissions, jobs } = parse(text);
      assert.deepEqual(permissions, {});
      const given = Object.values<{ permissions: object }>(jobs).map((job) => job.permissions);
      for (const each of given) assert.equal(typeof each, 'object');
    });
  }

  it('look for known vulnerabilities on every change and every week', () => {
    const { on, jobs } = parse(readFileSync(join(folder, 'security.yml'), 'utf8'));
    assert.deepEqual(Object.keys(on), ['push', 'pull_request', 'schedule']);
    const steps: { run?: string }[] = jobs.vulnerabilities.steps;
    assert.ok(steps.some(({ run }) => run === 'npm audit'));
  });

  it('release with options that npm run release has', () => {
    const text = readFileSync(join(folder, 'release.yml'), 'utf8');
    const [command = ''] = /npm run release -- (?:.*\\\n)*.*/.exec(text) ?? [];
    const options = [...command.matchAll(/ --([a-z]+)/g)].map(([, name]) => name);
    assert.deepEqual(options, ['version', 'registry', 'base', 'source', 'builder']);
  });
});
