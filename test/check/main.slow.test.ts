import assert from 'node:assert/strict';
import { cp, symlink } from 'node:fs/promises';
import { join } from 'node:path';
import { aMiniature, runProgram, type Miniature } from '../run/miniature.ts';

const repository = join(import.meta.dirname, '..', '..');

/** A tree that is checked with the tools and the settings of this repository. */
async function aCheckedMiniature(files: Readonly<Record<string, string>>): Promise<Miniature> {
  const tree = await aMiniature(files);
  const settings = ['tsconfig.json', 'oxlint.config.ts', 'test/check/lint', '.oxfmtrc.json'];
  for (const path of settings) {
    await cp(join(repository, path), join(tree.root, path), { recursive: true });
  }
  await symlink(join(repository, 'node_modules'), join(tree.root, 'node_modules'));
  return tree;
}

describe('npm run check', function () {
  // It runs the compiler, the formatter and the linter.
  this.timeout(20_000);
  this.slow(4_000);

  it('runs every step, fails, and says what to do for each thing that is wrong', async () => {
    await using tree = await aCheckedMiniature({
      'packages/core/src/direction.ts': "export { systemClock } from '@tandem/runtime';\n",
      'packages/kube/src/time.ts': 'export const startMs: number = Date.now();\n',
      'packages/kube/src/floating.ts':
        'async function save(): Promise<void> {}\n\nexport function run(): void {\n  save();\n}\n',
      'packages/kube/src/format.ts': 'export const   crooked   =   1;\n',
      // Put together here, because this repository is checked for such citations too.
      'packages/kube/src/cited.ts': `/** Keeps ${['Q', 9].join('')}. */\nexport const order = 1;\n`,
      'packages/kube/src/types.ts': "export const count: number = 'many';\n",
    });
    const { exitCode, output } = await runProgram({
      entry: 'check/main.ts',
      args: ['--root', tree.root],
    });
    const wanted = [
      /packages\/kube\/src\/types\.ts\(1,14\): error TS2322/,
      /packages\/kube\/src\/format\.ts\n[^]*Run npm run format/,
      /no-floating-promises[^]*packages\/kube\/src\/floating\.ts:4:3[^]*A floating promise is awaited/,
      /direction\.ts:1:1 \[import-direction\] packages\/core must not import packages\/runtime/,
      /no-restricted-properties[^]*packages\/kube\/src\/time\.ts:1:32[^]*Take a Clock from @tandem\/runtime/,
      /cited\.ts:1:11 \[promises\] Q\d is cited[^]*Define it in docs\/explanation\/promises\.md/,
      /Failed: types, format, lint, structure, promises\n$/,
    ];
    for (const pattern of wanted) assert.match(output, pattern);
    assert.equal(exitCode, 1);
  });

  it('refuses an unknown argument with exit code 2', async () => {
    const { exitCode, output } = await runProgram({ entry: 'check/main.ts', args: ['--fix'] });
    assert.match(output, /Unknown option '--fix'[^]*Try npm run check -- --help/);
    assert.equal(exitCode, 2);
  });
});
