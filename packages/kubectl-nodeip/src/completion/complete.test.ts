import assert from 'node:assert/strict';
import type { OptionTable } from '@tandem/cli/options';
import { complete, type CompletionParts } from './complete.ts';

const options: OptionTable = {
  output: { short: 'o', value: 'text|json', help: '' },
  context: { value: 'NAME', help: '' },
};
const parts: CompletionParts = {
  commands: ['explain', 'status', 'version'],
  optionsOf: async (command) => (command === 'version' ? undefined : options),
  nodeNames: async () => ['node-a', 'node-b', 'other'],
};

describe('completion of the plugin', () => {
  const cases = [
    { words: [''], want: ['explain', 'status', 'version'] },
    { words: ['st'], want: ['status'] },
    { words: ['explain', 'node-'], want: ['node-a', 'node-b'] },
    { words: ['status', ''], want: [] },
    { words: ['status', '--'], want: ['--output', '--context'] },
    { words: ['status', '-o', 'j'], want: ['json'] },
    { words: ['status', '--output', ''], want: ['text', 'json'] },
    { words: ['status', '--output=j'], want: ['json'] },
    { words: ['status', '--output='], want: ['text', 'json'] },
    { words: ['status', '--context=j'], want: [] },
    { words: ['explain', 'node-a', ''], want: [] },
    { words: ['explain', 'node-a', '-o', 'json', 'node-'], want: [] },
    { words: ['explain', '--context', 'work', 'node-'], want: ['node-a', 'node-b'] },
    { words: ['explain', '--output=json', 'node-'], want: ['node-a', 'node-b'] },
    { words: ['explain', '--context', ''], want: [] },
    { words: ['version', '--'], want: [] },
  ];
  for (const { words, want } of cases) {
    it(`of "${words.join(' ')}" is ${want.join(', ') || 'nothing'}`, async () => {
      assert.equal(await complete(words, parts), [...want, ':4', ''].join('\n'));
    });
  }
});
