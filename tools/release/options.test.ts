import assert from 'node:assert/strict';
import { readOptions, type Tree, usage } from './options.ts';

const tree: Tree = { version: '1.2.0', chartVersions: ['1.2.0', '1.2.0'], isDirty: false };
const base = `registry.test/node@sha256:${'0'.repeat(64)}`;
const digest = `sha256:${'1'.repeat(64)}`;
const complete = [
  '--version=1.2.0',
  '--registry=registry.test',
  `--base=${base}`,
  '--source=https://x.test/tandem',
  '--builder=https://x.test/workflow',
];

describe('npm run release', () => {
  it('takes a dry run with the version alone', () => {
    const read = readOptions(['--dry-run', '--version=1.2.0'], { ...tree, isDirty: true });
    assert.ok(read.kind === 'options');
    assert.equal(read.options.publishing, undefined);
    assert.equal(read.options.image, undefined);
    assert.match(read.options.source, /\.invalid$/);
  });

  it('takes a dry run for an image that was pushed before', () => {
    const args = ['--dry-run', '--version=1.2.0', '--registry=registry.test', `--digest=${digest}`];
    const read = readOptions(args, tree);
    assert.ok(read.kind === 'options');
    assert.equal(read.options.publishing, undefined);
    assert.deepEqual(read.options.image, { registry: 'registry.test', digest });
  });

  it('takes a release that names its registry, base, source and builder', () => {
    const read = readOptions(complete, tree);
    assert.ok(read.kind === 'options');
    const { publishing } = read.options;
    assert.deepEqual(publishing, {
      registry: 'registry.test',
      base,
      key: undefined,
      isPlainHTTP: false,
    });
  });

  it('takes a registry with the path of an owner, as the workflow gives it', () => {
    const read = readOptions([...complete, '--registry=ghcr.io/owner'], tree);
    assert.ok(read.kind === 'options');
    assert.equal(read.options.publishing?.registry, 'ghcr.io/owner');
  });

  it('lists every option for --help, whatever else is given', () => {
    assert.deepEqual(readOptions(['--version=banana', '-h'], tree), { kind: 'help' });
    for (const option of [
      ...complete,
      '--dry-run',
      '--digest',
      '--output',
      '--key',
      '--plain-http',
    ]) {
      assert.ok(usage.includes(`\n  ${option.split('=')[0]} `), option);
    }
  });

  it('releases no chart of another version', () => {
    for (const chartVersions of [
      ['1.1.0', '1.2.0'],
      ['1.2.0', '1.1.0'],
    ]) {
      assert.deepEqual(readOptions(complete, { ...tree, chartVersions }), {
        kind: 'problems',
        problems: ['--version is "1.2.0", but manifests/chart/Chart.yaml has 1.1.0'],
      });
    }
  });

  const cases = [
    { args: ['--dry-run'], want: ["--version is required: the program's version is 1.2.0"] },
    {
      args: ['--dry-run', '--version=banana'],
      want: ['--version is "banana", but the program\'s version is 1.2.0'],
    },
    {
      args: [...complete, '--registry=https://registry.test'],
      want: ['--registry "https://registry.test" is not HOST[:PORT][/PATH]'],
    },
    {
      args: [...complete, '--registry=ghcr.io/Owner'],
      want: ['--registry "ghcr.io/Owner" is not HOST[:PORT][/PATH]'],
    },
    {
      args: [...complete, '--source=x', '--builder=https://x.test/'],
      want: [
        '--source "x" is not https://HOST/PATH',
        '--builder "https://x.test/" is not https://HOST/PATH',
      ],
    },
    {
      args: ['--dry-run', '--version=1.2.0', '--key=k'],
      want: ['--key does nothing in a dry run'],
    },
    {
      args: ['--dry-run', '--version=1.2.0', '--registry=registry.test'],
      want: ['--registry requires --digest in a dry run'],
    },
    {
      args: ['--dry-run', '--version=1.2.0', `--digest=${digest}`],
      want: ['--digest requires --registry'],
    },
    {
      args: ['--dry-run', '--version=1.2.0', '--registry=x/', '--digest=sha256:12'],
      want: [
        '--registry "x/" is not HOST[:PORT][/PATH]',
        '--digest "sha256:12" is not sha256: and 64 hexadecimal digits',
      ],
    },
    {
      args: [...complete, `--digest=${digest}`],
      want: ['--digest requires --dry-run: a release pushes its own image'],
    },
    { args: [...complete, `--base=${base.slice(0, -1)}`], want: ['--base is IMAGE@sha256:DIGEST'] },
    { args: [...complete, '--base=node:24'], want: ['--base is IMAGE@sha256:DIGEST'] },
    {
      args: ['--version=1.2.0'],
      want: [
        '--registry says where the image goes',
        '--base is IMAGE@sha256:DIGEST',
        '--source is the address of the repository',
        '--builder says what builds, as an address',
      ],
    },
  ];
  for (const { args, want } of cases) {
    it(`refuses ${args.join(' ').slice(-80)}, and says all that is wrong`, () => {
      assert.deepEqual(readOptions(args, tree), { kind: 'problems', problems: want });
    });
  }

  it('releases no files that differ from the commit', () => {
    const problems = ['files differ from the commit: commit them, or add --dry-run'];
    assert.deepEqual(readOptions(complete, { ...tree, isDirty: true }), {
      kind: 'problems',
      problems,
    });
  });
});
