import assert from 'node:assert/strict';
import { GivenOptions } from './given-options.ts';
import { optionsHelp, type OptionTable } from './option-table.ts';

const table: OptionTable<'request' | 'exclude' | 'output' | 'count' | 'batch'> = {
  request: { value: 'VALUE', help: 'What is asked for' },
  exclude: { value: 'CIDR', isRepeatable: true, help: 'What is left out. Repeat for each' },
  output: { short: 'o', value: 'text|json', help: 'The form of the answer' },
  count: { value: 'N', help: 'How many' },
  batch: { short: 'b', help: 'Read many' },
};

function read(args: readonly string[]) {
  const given = new GivenOptions(args, table, {
    positionalsMax: 1,
    positionalAdvice: 'one is all',
  });
  const output = given.choice('output', ['text', 'json']);
  return { given, output, count: given.wholeNumber('count', { min: 1, max: 9 }) };
}

describe('the options of our programs', () => {
  for (const args of ['-o json', '-o=json', '-ojson', '--output json', '--output=json']) {
    it(`are read in the form ${args}`, () => {
      const { given, output } = read(args.split(' '));
      assert.deepEqual([output, given.problems], ['json', []]);
    });
  }

  it('keep all values of a repeatable option, and words without a dash', () => {
    const { given, count } = read('node-0 --exclude a --exclude=b -b --count 9'.split(' '));
    assert.deepEqual(given.problems, []);
    assert.deepEqual(given.values('exclude'), ['a', 'b']);
    assert.deepEqual(given.positionals, ['node-0']);
    assert.equal(given.has('batch'), true);
    assert.equal(count, 9);
  });

  it('end at --, so that a word may begin with a dash', () => {
    const { given } = read('-b -- --request'.split(' '));
    assert.deepEqual([given.positionals, given.problems], [['--request'], []]);
  });

  const refusals = [
    { args: '--reqest x', want: ['unknown option --reqest: did you mean --request?'] },
    { args: '--nope', want: ['unknown option --nope: see --help'] },
    { args: '-x', want: ['unknown option -x: see --help'] },
    { args: '--batch=yes', want: ['--batch takes no value'] },
    { args: '--request', want: ['--request requires a value: expected VALUE'] },
    { args: '--request --batch', want: ['--request requires a value: expected VALUE'] },
    { args: '--count 1 --count 2', want: ['--count is given more than once'] },
    { args: '--output xml', want: ['--output "xml" is not one of text, json'] },
    { args: '--count 0', want: ['--count "0" is not a whole number from 1 to 9'] },
    { args: '--count 1e0', want: ['--count "1e0" is not a whole number from 1 to 9'] },
    { args: '--count -1', want: ['--count "-1" is not a whole number from 1 to 9'] },
    { args: '--request -o json', want: ['--request requires a value: expected VALUE'] },
    { args: 'a b', want: ['unexpected argument "b": one is all'] },
    {
      args: '--nope a b',
      want: ['unknown option --nope: see --help', 'unexpected argument "b": one is all'],
    },
  ];
  for (const { args, want } of refusals) {
    it(`are refused: ${args}`, () => {
      assert.deepEqual(read(args.split(' ')).given.problems, want);
    });
  }

  it('are refused together with an exclusive option', () => {
    const { given } = read('--batch --request x --count 1'.split(' '));
    given.refuseBeside('batch', ['batch', 'request', 'output']);
    assert.deepEqual(given.problems, ['--request cannot be combined with --batch']);
  });

  it('are all in the help text, within 100 columns', () => {
    const long: OptionTable = { ...table, long: { help: 'many words '.repeat(40).trim() } };
    const text = optionsHelp(long);
    for (const name of Object.keys(long)) assert.ok(text.includes(`--${name}`), name);
    for (const line of text.split('\n')) assert.ok(line.length < 100, line);
    assert.match(text, /^ {2}-o, --output text\|json\n {10}The form of the answer$/m);
  });
});
