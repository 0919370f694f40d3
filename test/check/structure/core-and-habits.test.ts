import assert from 'node:assert/strict';
import { brokenRules, violationsOf } from './sample.ts';
import { formatViolation } from './violation.ts';

describe('core', () => {
  const impure = [
    "import { join } from 'node:path';",
    "import { join } from 'path';",
    "import type { Socket } from 'node:net';",
    "import { pino } from 'pino';",
    'export async function f() {}',
    'const f = async () => 1;',
    'const o = { async f() {} };',
    'class C { async f() {} }',
    'async function* f() {}',
    'await x;',
    'for await (const x of y) z(x);',
    'await using x = y;',
    'new Promise(f);',
    'Promise.all(all);',
    'export function f(): Promise<void>;',
    'export type Later = PromiseLike<number>;',
    'queueMicrotask(f);',
    'function f(x: AsyncIterable<string>) {}',
    'function f(x: AsyncIterator<string>) {}',
    'function f(x: AsyncGenerator<string>) {}',
  ];
  const pure = [
    "import ip from 'ipaddr.js';",
    'export function* f() { yield 1; }',
    '// async, await and Promise',
    'const o = { Promise: 1, async: true, await: false };',
    'for (const x of y) z(x);',
  ];

  it('has no I/O and nothing asynchronous', () => {
    for (const sample of impure) {
      const rules = brokenRules('packages/core/src/a.ts', `\n${sample}`);
      assert.ok(rules.includes('pure-core:2'), sample);
    }
  });

  it('may use what only computes', () => {
    for (const sample of pure) {
      assert.deepEqual(brokenRules('packages/core/src/a.ts', sample), [], sample);
    }
  });

  it('may do anything asynchronous in its tests, as other packages may', () => {
    const text = "import fc from 'fast-check';\nimport 'node:path';\nexport async function f() {}";
    assert.deepEqual(brokenRules('packages/core/src/a.test.ts', text), []);
    assert.deepEqual(brokenRules('packages/kube/src/a.ts', 'export async function f() {}'), []);
  });
});

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

  it('accept names that only begin like one of these', () => {
    for (const name of ['common-name.ts', 'utilisation.ts', 'miscount.ts']) {
      assert.deepEqual(brokenRules(`packages/kube/src/${name}`, ''), []);
    }
  });

  it('report a file that does not parse, because nothing else can be said of it', () => {
    assert.deepEqual(brokenRules('packages/kube/src/a.ts', '\nconst = Date.now();'), ['parse:2']);
  });

  it('give the place as an editor counts it, also behind characters of two units', () => {
    const text = "const a = '😀';\nconst b = '😀'; Date.now();";
    const [first] = violationsOf('packages/kube/src/a.ts', text);
    assert.ok(first);
    assert.match(
      formatViolation(first),
      /^packages\/kube\/src\/a\.ts:2:17 \[ports\] Date\.now is /,
    );
  });
});
