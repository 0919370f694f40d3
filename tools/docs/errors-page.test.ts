import assert from 'node:assert/strict';
import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { requestRefusals } from '@tandem/core/node-address';
import { nodeRefusals } from '@tandem/core/node-init';
import { errorGroups } from './error-codes.ts';
import { renderErrors } from './errors-page.ts';
import { findMadeCodes } from './made-error-codes.ts';

const root = join(import.meta.dirname, '..', '..');

const declared = errorGroups.flatMap(({ codes }) => Object.keys(codes));

/** Where errors are made: not in tests, and core has refusals in place of errors. */
const sources = ['packages/*/src/**/*.ts', 'providers/*/src/**/*.ts']
  .flatMap((pattern) => globSync(pattern, { cwd: root }))
  .filter((path) => !/\.(?:test|fixture)\.ts$|^packages\/core\//.test(path))
  .map((path) => ({ path, text: readFileSync(join(root, path), 'utf8') }));

describe('the page of error codes', () => {
  it('has every code that the program can fail with', () => {
    const { codes, untraced } = findMadeCodes(sources);
    assert.deepEqual(untraced, [], 'give them a code that can be found');
    const isRefusal = (code: string): boolean => code in requestRefusals || code in nodeRefusals;
    const missing = [...codes].filter((code) => !declared.includes(code) && !isRefusal(code));
    assert.deepEqual(missing, [], 'declare them in the table of their package');
  });

  it('has no code that nothing fails with', () => {
    // The tables themselves, and the types of their codes, do not count.
    const users = sources.filter(({ path }) => !path.startsWith('packages/kube/src/errors/'));
    const isUsed = (code: string): boolean => users.some(({ text }) => text.includes(`'${code}'`));
    assert.deepEqual(
      declared.filter((code) => !isUsed(code)),
      [],
    );
  });

  it('has each code once, in a section of its own', () => {
    assert.equal(new Set(declared).size, declared.length);
    const headings = [...renderErrors().matchAll(/^### (.*)$/gm)].map(([, heading]) => heading);
    assert.deepEqual(headings, declared);
  });

  it('is what is committed (npm run docs)', () => {
    const page = readFileSync(join(root, 'docs/reference/errors.md'), 'utf8');
    assert.equal(page, renderErrors());
  });
});
