import assert from 'node:assert/strict';
import type { OptionTable } from '@tandem/cli/options';
import { complete, type CompletionParts } from './complete.ts';

const options: OptionTable = {
  output: { short: 'o', value: 'text|json', help: '' },
  context: { value: 'CONTEXT', help: '' },
  gates: { value: 'A=true|false', help: '' },
  kubeconfig: { value: 'FILE', help: '' },
  lease: { value: 'NAMESPACE/NAME', help: '' },
  help: { help: '' },
};
const parts: CompletionParts = {
  commands: ['explain', 'status', 'version'],
  optionsOf: async (command) => (command === 'version' ? undefined : options),
  nodeNames: async () => ['node-a', 'node-b', 'other'],
  contextNames: async () => ['work', 'home'],
};

describe('completion of the plugin', () => {
  const cases = [
    { words: [''], want: ['explain', 'status', 'version'] },
    { words: ['st'], want: ['status'] },
    { words: ['explain', 'node-'], want: ['node-a', 'node-b'] },
    { words: ['status', ''], want: [] },
    {
      words: ['status', '--'],
      want: ['--output', '--context', '--gates', '--kubeconfig', '--lease', '--help'],
    },
    { words: ['status', '-o', 'j'], want: ['json'] },
    { words: ['status', '--output', ''], want: ['text', 'json'] },
    { words: ['status', '--output=j'], want: ['json'] },
    { words: ['status', '--output='], want: ['text', 'json'] },
    { words: ['status', '--context=h'], want: ['home'] },
    { words: ['status', '--context', ''], want: ['work', 'home'] },
    { words: ['status', '--gates', 'A'], want: ['A=true', 'A=false'] },
    { words: ['status', '--lease', ''], want: [] },
    { words: ['status', '--help=x'], want: [] },
    { words: ['explain', 'node-a', ''], want: [] },
    { words: ['explain', 'node-a', '-o', 'json', 'node-'], want: [] },
    { words: ['explain', '--context', 'work', 'node-'], want: ['node-a', 'node-b'] },
    { words: ['explain', '--output=json', 'node-'], want: ['node-a', 'node-b'] },
    { words: ['explain', '--context', 'w'], want: ['work'] },
    { words: ['version', '--'], want: [] },
  ];
  for (const { words, want } of cases) {
    it(`of "${words.join(' ')}" offers ${want.join(', ') || 'nothing'}`, async () => {
      assert.equal(await complete(words, parts), [...want, ':4', ''].join('\n'));
    });
  }

  for (const words of [
    ['status', '--kubeconfig', ''],
    ['explain', '--kubeconfig=/etc'],
  ]) {
    it(`of "${words.join(' ')}" lets the shell complete file names`, async () => {
      assert.equal(await complete(words, parts), ':0\n');
    });
  }
});
