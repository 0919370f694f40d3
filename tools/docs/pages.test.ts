import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { requestRefusals } from '@tandem/core/node-address';
import { nodeRefusals } from '@tandem/core/node-init';
import { exampleConfiguration, fieldTables, parseConfiguration } from '@tandem/manager/config';
import { flagGroups } from '@tandem/manager/flags';
import { generatedPages, replacePart } from './pages.ts';

const root = join(import.meta.dirname, '..', '..');

describe('the generated pages', () => {
  for (const { path, render } of generatedPages) {
    it(`${path} says what the code declares (npm run docs)`, () => {
      const current = readFileSync(join(root, path), 'utf8');
      assert.equal(
        current,
        render(() => current),
      );
    });
  }

  it('has a section for every refusal code and for nothing else, in the order of judgement', () => {
    const page = readFileSync(join(root, 'docs/reference/refusals.md'), 'utf8');
    const headings = [...page.matchAll(/^## (.*)$/gm)].map(([, heading]) => heading);
    assert.deepEqual(headings, [...Object.keys(requestRefusals), ...Object.keys(nodeRefusals)]);
  });

  it('has a section for every flag and for nothing else', () => {
    const page = readFileSync(join(root, 'docs/reference/flags.md'), 'utf8');
    const headings = [...page.matchAll(/^### --(.*)$/gm)].map(([, heading]) => heading);
    assert.deepEqual(
      headings,
      flagGroups.flatMap(({ flags }) => flags.map(({ name }) => name)),
    );
  });

  it('has every field of the configuration and no other, and an example that can be used', () => {
    const page = readFileSync(join(root, 'docs/reference/configuration.md'), 'utf8');
    const fields = [...page.matchAll(/^- `(\w+)` \(/gm)].map(([, field]) => field);
    assert.deepEqual(
      fields,
      fieldTables.flatMap((table) => Object.keys(table.fields)),
    );
    const [, example = ''] = /```yaml\n(.*?)```/s.exec(page) ?? [];
    assert.equal(example, exampleConfiguration);
    const gates = { CloudNodeIPs: true };
    assert.deepEqual(parseConfiguration(example, { path: 'example', gates }).problems, []);
  });

  it('refuses a page without the marks of its part', () => {
    assert.throws(() => replacePart('no marks', 'kep-tables', 'x'), /has no part "kep-tables"/);
  });
});
