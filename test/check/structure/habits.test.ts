import assert from 'node:assert/strict';
import { brokenRules, violationsOf } from './sample.ts';
import { formatViolation } from './violation.ts';

describe('the habits', () => {
  it('refuse a comment that turns a check off', () => {
    for (const text of [
      '/* oxlint-disable */',
      '// eslint-disable-next-line no-var',
      '// @ts-expect-error',
      '/** @ts-nocheck */',
    ]) {
      assert.deepEqual(brokenRules('packages/kube/src/b.ts', text), ['switched-off:1'], text);
    }
    assert.deepEqual(brokenRules('packages/kube/src/b.ts', '// Nobody says oxlint-disable.'), []);
  });

  it('refuse a source outside the house, and JSX', () => {
    assert.deepEqual(brokenRules('scripts/b.ts', ''), ['file-name:1']);
    assert.deepEqual(brokenRules('oxlint.config.ts', ''), []);
    assert.deepEqual(brokenRules('packages/kube/src/b.tsx', ''), ['file-name:1']);
  });

  it('refuse export *, in a package and in a test', () => {
    for (const text of ["export * from './a.ts';", "export * as a from './a.ts';"]) {
      assert.deepEqual(brokenRules('packages/kube/src/b.ts', text), ['no-export-star:1']);
      assert.deepEqual(brokenRules('test/support/b.ts', text), ['no-export-star:1']);
    }
  });

  const names = [
    'utils.ts',
    'util.ts',
    'helpers.test.ts',
    'helper.js',
    'common/index.ts',
    'misc.mjs',
  ];
  for (const name of names) {
    it(`refuse the name ${name}`, () => {
      assert.deepEqual(brokenRules(`packages/kube/src/${name}`, ''), ['file-name:1']);
    });
  }

  it('accept names that only start like one of these', () => {
    for (const name of ['common-name.ts', 'utilisation.ts', 'miscount.ts']) {
      assert.deepEqual(brokenRules(`packages/kube/src/${name}`, ''), []);
    }
  });

  it('report of a broken file only that it does not parse', () => {
    assert.deepEqual(brokenRules('packages/kube/src/a.ts', '\nconst = Date.now();'), ['parse:2']);
  });

  it('give the position as an editor counts it, also after surrogate pairs', () => {
    const text = "const a = '😀';\nconst b = '😀'; export * from './a.ts';";
    const [first] = violationsOf('packages/kube/src/a.ts', text);
    assert.ok(first);
    assert.match(
      formatViolation(first),
      /^packages\/kube\/src\/a\.ts:2:17 \[no-export-star\] export \* hides /,
    );
  });
});
