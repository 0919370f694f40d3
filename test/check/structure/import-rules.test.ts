import assert from 'node:assert/strict';
import { brokenRules, violationsOf } from './sample.ts';

interface Case {
  readonly from: string;
  readonly text: string;
}

const refused: Readonly<Record<string, readonly Case[]>> = {
  'import-direction': [
    ...[
      "import { x } from '@tandem/kube';",
      "import '@tandem/kube';",
      "import type { X } from '@tandem/kube';",
      "import { type X } from '@tandem/kube';",
      "export { x } from '@tandem/kube';",
      "export type { X } from '@tandem/kube';",
      "await import('@tandem/kube');",
      'await import(`@tandem/kube`);',
    ].map((text) => ({ from: 'packages/provider/src/a.ts', text })),
    { from: 'packages/core/src/a.ts', text: "import type { X } from '@tandem/runtime';" },
    { from: 'packages/core/src/a.test.ts', text: "import { x } from '@tandem/runtime';" },
    { from: 'packages/runtime/src/a.ts', text: "import { x } from '@tandem/core';" },
    { from: 'packages/kube/src/a.ts', text: "import { x } from '@tandem/provider';" },
    { from: 'packages/controllers/src/a.ts', text: "import { x } from '@tandem/manager';" },
    { from: 'packages/controllers/src/a.ts', text: "import { x } from '@tandem/provider-aws';" },
    { from: 'packages/kubectl-nodeip/src/a.ts', text: "import { x } from '@tandem/controllers';" },
    { from: 'packages/manager/src/a.ts', text: "import { x } from '@tandem/provider-aws';" },
    { from: 'packages/manager/src/a.ts', text: "import type { X } from '@tandem/provider-aws';" },
    { from: 'packages/manager/src/a.ts', text: "import { x } from '@tandem/devcluster';" },
    { from: 'packages/devcluster/src/a.ts', text: "import { x } from '@tandem/kubectl-nodeip';" },
    { from: 'providers/aws/src/a.ts', text: "import { x } from '@tandem/kube';" },
    { from: 'providers/aws/src/a.ts', text: "import { x } from '@tandem/provider-azure';" },
    { from: 'packages/kube/src/a.ts', text: "import { x } from '@tandem/nowhere';" },
    { from: 'packages/kube/src/a.ts', text: 'await import(name);' },
    { from: 'packages/kube/src/a.ts', text: "await import('./' + name);" },
    { from: 'packages/attic/src/a.ts', text: 'export const x = 1;' },
    { from: 'packages/kube/src/a.ts', text: "import { x } from '../../../test/support/a.ts';" },
    { from: 'packages/kube/src/a.test.ts', text: "import { x } from '../../../test/run/a.ts';" },
    { from: 'packages/kube/src/a.ts', text: "import { x } from './b.fixture.ts';" },
    { from: 'packages/kube/src/a.ts', text: "import { x } from './b.test.ts';" },
  ],
  'package-door': [
    { from: 'packages/kube/src/a.ts', text: "import { x } from '../../core/src/a.ts';" },
    { from: 'packages/kube/src/a.test.ts', text: "import { x } from '../../core/src/a.ts';" },
    { from: 'packages/kube/src/a.ts', text: "export { x } from '../../core/src/a.ts';" },
    { from: 'packages/kube/src/a.ts', text: "import x from '../../../tsconfig.json';" },
    { from: 'packages/kube/src/a.ts', text: "import x from '../../../../other/a.ts';" },
    { from: 'test/support/a.ts', text: "import x from '../../../other/a.ts';" },
    { from: 'packages/kube/src/a.ts', text: "import { x } from '@tandem/core/src/a.ts';" },
    { from: 'packages/controllers/src/a.ts', text: "import { x } from '@tandem/provider/door';" },
    { from: 'packages/kube/src/a.ts', text: "import { x } from '@tandem/kube';" },
    { from: 'packages/kube/src/a.ts', text: "import { x } from '#inner';" },
    { from: 'packages/kube/src/a.ts', text: "import { x } from '/srv/a.ts';" },
    { from: 'packages/kube/src/a.ts', text: "import { x } from 'file:///srv/a.ts';" },
    {
      from: 'test/integration/a.test.ts',
      text: "import { x } from '../../packages/core/src/a.ts';",
    },
    { from: 'test/integration/a.test.ts', text: "import { x } from '@tandem/core/src/a.ts';" },
  ],
  'listed-dependency': [
    { from: 'packages/kube/src/a.ts', text: "import { x } from 'pino';" },
    { from: 'packages/kube/src/a.ts', text: "import type { X } from 'pino/file.js';" },
    { from: 'packages/kube/src/a.ts', text: "import { x } from '@kubernetes/client-node';" },
    { from: 'packages/kube/src/a.ts', text: "import { x } from 'fast-check';" },
    { from: 'packages/manager/src/a.ts', text: "import { x } from '@tandem/runtime';" },
    { from: 'packages/kube/src/a.test.ts', text: "import { x } from 'pino';" },
    { from: 'test/support/a.ts', text: "import { x } from 'pino';" },
  ],
};

/** Design §2 once more, written independently of the table that the rule reads. */
const direction: Readonly<Record<string, string>> = {
  'packages/core': '',
  'packages/runtime': '',
  'packages/provider': 'core runtime',
  'packages/kube': 'core runtime',
  'packages/controllers': 'core kube provider runtime',
  'packages/serving': 'cli kube runtime',
  'packages/cli': 'core',
  'packages/manager': 'cli controllers core kube provider runtime serving',
  'packages/kubectl-nodeip': 'cli core kube provider runtime',
  'packages/devcluster':
    'cli controllers core kube manager provider provider-aws provider-simulated runtime serving',
  'providers/aws': 'cli core provider runtime',
  'providers/simulated': 'cli core provider runtime',
};

const allowed: readonly Case[] = [
  { from: 'packages/kube/src/a.ts', text: "import { x } from '@tandem/core';" },
  { from: 'packages/kube/src/a.ts', text: "import { x } from './b.ts';" },
  { from: 'packages/kube/src/deep/a.ts', text: "import { x } from '../b.ts';" },
  { from: 'packages/kube/src/a.ts', text: "import { x } from 'node:https';" },
  { from: 'packages/kube/src/a.ts', text: "path.resolve('@tandem/manager');" },
  { from: 'packages/kube/src/a.ts', text: "// import { x } from '@tandem/manager';" },
  { from: 'packages/kube/src/a.ts', text: 'const text = "import(\'@tandem/manager\')";' },
  { from: 'packages/kube/src/a.test.ts', text: "import { x } from '../../../test/support/a.ts';" },
  { from: 'packages/kube/src/a.test.ts', text: "import { x } from './b.fixture.ts';" },
  { from: 'packages/kube/src/a.fixture.ts', text: "import * as fc from 'fast-check';" },
  { from: 'packages/kube/src/a.test.ts', text: "import { x } from 'fast-check';" },
  { from: 'packages/controllers/src/a.ts', text: "import { x } from '@tandem/provider/exam';" },
  { from: 'packages/kube/src/a.ts', text: "import { x } from '@tandem/core/ip';" },
  { from: 'packages/manager/src/a.ts', text: "await import('@tandem/provider-aws');" },
  { from: 'packages/manager/src/a.ts', text: 'await import(pathOfModule);' },
  { from: 'packages/devcluster/src/a.ts', text: "import { x } from '@tandem/provider-simulated';" },
  { from: 'providers/aws/src/a.ts', text: "import { x } from '@tandem/provider/exam';" },
  { from: 'test/integration/a.ts', text: "import { x } from '@tandem/manager';" },
  { from: 'test/integration/a.ts', text: "import { x } from '../control-plane/a.ts';" },
  { from: 'test/integration/a.ts', text: "import { x } from 'yaml';" },
];

describe('the rules for imports', () => {
  for (const [rule, cases] of Object.entries(refused)) {
    it(`refuse what breaks ${rule}`, () => {
      for (const { from, text } of cases) {
        const rules = brokenRules(from, `\n${text}`);
        const line = from.startsWith('packages/attic') ? 1 : 2;
        assert.ok(rules.includes(`${rule}:${line}`), `${from}: ${text}: ${rules.join(' ')}`);
      }
    });
  }

  it('accept imports that point the right way and use exports', () => {
    for (const { from, text } of allowed) assert.deepEqual(brokenRules(from, text), [], text);
  });

  for (const [from, wanted] of Object.entries(direction)) {
    it(`let ${from} import ${wanted === '' ? 'no other package' : wanted}, and no more`, () => {
      const others = Object.keys(direction)
        .filter((folder) => folder !== from)
        .map((folder) => folder.replace('packages/', '').replace('providers/', 'provider-'));
      const open = others.filter((name) => {
        const rules = brokenRules(`${from}/src/a.ts`, `import { x } from '@tandem/${name}';`);
        return !rules.includes('import-direction:1');
      });
      assert.equal(open.toSorted().join(' '), wanted);
    });
  }

  it('report a package that imports itself under package-door only', () => {
    const rules = brokenRules('packages/kube/src/a.ts', "import { x } from '@tandem/kube';");
    assert.deepEqual(rules, ['package-door:1']);
  });

  it('name what a package may import instead', () => {
    const [first] = violationsOf('packages/kube/src/a.ts', "import { x } from '@tandem/manager';");
    assert.match(first?.found ?? '', /packages\/kube must not import packages\/manager/);
    assert.match(first?.instead ?? '', /It may import packages\/core, packages\/runtime/);
  });

  it('ask for a new package to be added to the table', () => {
    const [first] = violationsOf('packages/attic/src/a.ts', '');
    assert.match(first?.instead ?? '', /Add it to test\/check\/structure\/house\.ts/);
  });
});
