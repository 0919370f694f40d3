/**
 * Runs the commands of the bare-metal guide, one block after the other, and compares their output with what
 * the page shows.
 */
import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { delimiter, dirname, join } from 'node:path';
import { systemEnvironment } from '@tandem/runtime';
import { eventually, findPrograms } from '../../control-plane/index.ts';
import { requirePrograms } from '../../control-plane/mocha.ts';
import { readGuide, showsLines, type Step } from './read-guide.ts';
import { Terminal } from './terminal.ts';

const root = join(import.meta.dirname, '../../..');
const page = 'docs/guides/bare-metal.md';

/** Commands that only look may be typed again until they show what they should. */
const looks = /^(?:kubectl get .*\n?)+$/;

describe('the guide for bare metal', function () {
  this.timeout(180_000);
  let steps: readonly Step[];
  let environment: Record<string, string | undefined>;

  before(async function () {
    await requirePrograms(this);
    steps = readGuide(await readFile(join(root, page), 'utf8'));
    const machine = systemEnvironment();
    const [kubectl = ''] = await findPrograms(['kubectl'], {
      environment: machine,
      sink: process.stderr,
    });
    environment = { ...machine, PATH: [dirname(kubectl), machine['PATH']].join(delimiter) };
  });

  it('leads to nodes with both families, by commands that are copied', async () => {
    const [busy, ...others] = steps;
    assert.ok(busy?.ownTerminal, 'the page begins with a control plane');
    assert.ok(others.length >= 10, `only ${others.length} blocks of commands were found`);
    await using first = new Terminal({ directory: root, environment });
    first.type(`${busy.commands}\n`);
    const introduction = await first.shows('Press Ctrl-C');
    const [copied] = /^export KUBECONFIG=.+$/m.exec(introduction) ?? [];
    await using second = new Terminal({ directory: root, environment });
    await second.run(copied ?? 'false');
    for (const step of others) await follow(step, second);
  });
});

async function follow({ line, commands, expected }: Step, terminal: Terminal): Promise<void> {
  let output = await terminal.run(commands);
  if (looks.test(commands)) {
    const look = async (): Promise<boolean> => {
      if (showsLines(output, expected)) return true;
      output = await terminal.run(commands);
      return false;
    };
    await eventually(look, { withinMs: lookMsMax }).catch(() => {});
  }
  const shown = `${page}:${line} shows\n${output}\nin place of\n${expected.join('\n')}`;
  assert.ok(showsLines(output, expected), shown);
}

/** A refused node is looked up again every minute. */
const lookMsMax = 75_000;
