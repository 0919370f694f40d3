import assert from 'node:assert/strict';
import { join } from 'node:path';
import { isOf, looksLikeTest, suites } from './suites.ts';
import { listTreeFiles } from './tree-files.ts';
import { exempt } from './tripwire.ts';

const root = join(import.meta.dirname, '..', '..');

describe('the suites of npm test', () => {
  const tests = listTreeFiles(root).filter(looksLikeTest);

  it('have every test file of the tree in exactly one of them', () => {
    const wrong = tests.flatMap((file) => {
      const owners = suites.filter(({ patterns }) => isOf(file, patterns));
      return owners.length === 1 ? [] : [`${file}: ${owners.map(({ name }) => name).join(' ')}`];
    });
    assert.deepEqual(wrong, [], 'Move or rename these, or add their place to test/run/suites.ts');
  });

  it('have files wherever they say that some share a process or want a program to run first', () => {
    const files = suites.flatMap(({ together = [], first }) => [
      ...together,
      ...(first?.files ?? []),
    ]);
    for (const pattern of files) {
      assert.ok(
        tests.some((file) => isOf(file, [pattern])),
        pattern,
      );
    }
  });

  it('exempt only files that are there from the tripwire', () => {
    assert.deepEqual(
      [...exempt.keys()].filter((file) => !tests.includes(file)),
      [],
    );
  });

  const names = [
    { file: 'packages/core/src/cidr.test.ts', want: true },
    { file: 'packages/core/src/cidr.spec.mts', want: true },
    { file: 'packages/core/src/cidr_tests.js', want: true },
    { file: 'packages/core/src/cidr.ts', want: false },
    { file: 'packages/core/src/testing.ts', want: false },
    { file: 'packages/core/src/cidr.test.ts.md', want: false },
  ];
  for (const { file, want } of names) {
    it(`treat ${file} ${want ? 'as a test' : 'as no test'}`, () => {
      assert.equal(looksLikeTest(file), want);
    });
  }
});
