import assert from 'node:assert/strict';
import type { RunRequest } from './command-line.ts';
import { selectTests } from './selection.ts';

const tree = [
  'packages/core/src/cidr.test.ts',
  'packages/core/src/cidr.ts',
  'packages/core/src/deep/ip.test.ts',
  'packages/core/src/deep/ip.property.slow.test.ts',
  'providers/aws/src/aws.test.ts',
  'test/check/check.test.ts',
  'test/control-plane/etcd.test.ts',
  'test/integration/node.test.ts',
  'test/simulation/oracle/truth.test.ts',
  'test/simulation/worlds.test.ts',
  'test/support/builders.test.ts',
];

function aRequest(request: Partial<RunRequest> = {}): RunRequest {
  return { kind: 'run', root: undefined, suites: [], paths: [], grep: undefined, ...request };
}

function selected(request: RunRequest): string[] {
  return selectTests(tree, request).runs.map(({ suite, files }) => `${suite.name} ${files.length}`);
}

describe('the selection of tests', () => {
  it('takes all suites, one, a folder or a file', () => {
    assert.deepEqual(selected(aRequest()), ['unit 5', 'slow 1', 'simulation 2', 'integration 2']);
    assert.deepEqual(selected(aRequest({ suites: ['unit'] })), ['unit 5']);
    assert.deepEqual(selected(aRequest({ paths: ['packages/core/'] })), ['unit 2', 'slow 1']);
    assert.deepEqual(selected(aRequest({ paths: ['test'] })), [
      'unit 2',
      'simulation 2',
      'integration 2',
    ]);
    assert.deepEqual(selected(aRequest({ paths: ['./test/integration/node.test.ts'] })), [
      'integration 1',
    ]);
  });

  it('keeps a suite that has lost all of its files, so that it fails', () => {
    const { runs } = selectTests(['test/integration/node.test.ts'], aRequest());
    assert.deepEqual(runs[0]?.files, []);
  });

  it('names a word that is neither a suite nor a place of tests', () => {
    const request = aRequest({ paths: ['packages/cor', 'packages/core'] });
    assert.deepEqual(selectTests(tree, request).unknown, ['packages/cor']);
  });

  const lost = [
    'packages/core/src/a.spec.ts',
    'packages/core/src/a_test.mjs',
    'packages/core/src/a.test.js',
    'packages/core/src/a.test.tsx',
    'packages/core/src/a-test.ts',
    'packages/core/src/a.tests.ts',
    'packages/core/a.test.ts',
    'test/a.test.ts',
    'a.test.ts',
    'scripts/a.test.cjs',
  ];
  for (const file of lost) {
    it(`finds that no suite runs ${file}`, () => {
      const [problem = ''] = selectTests([...tree, file], aRequest()).lost;
      assert.ok(problem.startsWith(`${file} looks like a test, but no suite runs it.`));
    });
  }

  it('takes a file for a test by its name only', () => {
    const others = ['test/run/main.ts', 'packages/core/src/contest.ts', 'test/go/a_test.go'];
    assert.deepEqual(selectTests([...tree, ...others], aRequest()).lost, []);
  });
});
