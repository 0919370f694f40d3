import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { requestRefusals } from '@tandem/core/node-address';
import { nodeRefusals } from '@tandem/core/node-init';
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

  it('refuses a page without the marks of its part', () => {
    assert.throws(() => replacePart('no marks', 'kep-tables', 'x'), /has no part "kep-tables"/);
  });
});
