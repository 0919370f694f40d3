/** Every block of commands in the pages is accounted for. */
import assert from 'node:assert/strict';
import { existsSync, globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseCommandLine } from '@tandem/manager/flags';
import { onOneLine, treatmentOf } from './command-blocks.ts';
import { fences, readGuide } from './read-guide.ts';

const root = join(import.meta.dirname, '../../..');
const pages = globSync(['*.md', 'docs/**/*.md', 'manifests/**/*.md'], { cwd: root }).toSorted();
const read = (page: string): string => readFileSync(join(root, page), 'utf8');

/** How commands begin that a reader would type. */
const command =
  /^(?:\$ |(?:az|aws|buildah|cd|cosign|curl|helm|jq|k3s|kubeadm|kubectl|npm|npx|ssh|sudo|systemctl|talosctl|cloud-controller-manager) )/m;

describe('the commands of the pages', () => {
  for (const page of pages) {
    it(`are all accounted for in ${page}`, () => {
      const found = readGuide(read(page)).map(({ line, commands }) => ({
        line,
        text: onOneLine(commands),
      }));
      const unknown = found
        .filter(({ text }, index) => !text.startsWith(treatmentOf(page, index)?.[0] ?? '\n'))
        .map(({ line, text }) => `${page}:${line} ${text}`);
      assert.deepEqual(unknown, [], 'Say in command-blocks.ts what tests do with these');
      assert.equal(treatmentOf(page, found.length)?.[0] || undefined, undefined);
    });
  }

  it('stand in blocks of the language sh, so that they are found', () => {
    const hidden = pages.flatMap((page) =>
      [...fences(read(page))]
        .filter(
          ({ language, body }) => ['', 'text', 'console'].includes(language) && command.test(body),
        )
        .map(({ line }) => `${page}:${line}`),
    );
    assert.deepEqual(hidden, []);
  });

  for (const page of pages) {
    for (const [index, { line, commands }] of readGuide(read(page)).entries()) {
      const [, treatment] = treatmentOf(page, index) ?? [];
      if (treatment?.how === 'runBy') {
        it(`are run by a test that exists: ${page}:${line}`, () => {
          assert.ok(existsSync(join(root, treatment.test)), treatment.test);
        });
      }
      if (treatment?.how === 'parsed') {
        it(`are read by the manager where they need a cloud: ${page}:${line}`, () => {
          const words = onOneLine(commands).replaceAll('"', '').split(' ');
          const [npx, program, ...args] = words;
          assert.deepEqual([npx, program], ['npx', 'cloud-controller-manager']);
          const parsed = parseCommandLine(args);
          assert.ok(parsed.kind === 'run');
          assert.deepEqual(parsed.problems, []);
        });
      }
    }
  }
});
