import assert from 'node:assert/strict';
import * as fc from 'fast-check';
import { type AnyFlag } from './flag.ts';
import { GivenFlags } from './given-flags.ts';
import { bool, int, optionalText } from './values/scalars.ts';
import { texts } from './values/network.ts';

const flags: readonly AnyFlag[] = [
  { name: 'cloud-provider', type: optionalText, help: '' },
  { name: 'kubeconfig', type: optionalText, help: '' },
  { name: 'controllers', type: texts, help: '' },
  { name: 'leader-elect', type: bool, help: '' },
  { name: 'v', short: 'v', type: int({ min: -1, max: 9 }), help: '' },
  { name: 'help', short: 'h', type: bool, help: '' },
];

/** The effective text of each given flag, and the problems. */
function read(args: readonly string[]) {
  const given = new GivenFlags(args, flags);
  const counting = given.effective(flags.filter((flag) => given.isGiven(flag)));
  return { given: Object.fromEntries(counting), problems: given.problems() };
}

describe('the words of a command line', () => {
  const good = [
    { args: [], want: {} },
    { args: ['--cloud-provider='], want: { 'cloud-provider': '' } },
    { args: ['--cloud-provider=a=b'], want: { 'cloud-provider': 'a=b' } },
    { args: ['--cloud_provider', 'aws'], want: { 'cloud-provider': 'aws' } },
    { args: ['--cloud-provider', ''], want: { 'cloud-provider': '' } },
    { args: ['--v=2'], want: { v: '2' } },
    { args: ['--v', '2'], want: { v: '2' } },
    { args: ['-v=2'], want: { v: '2' } },
    { args: ['-v', '2'], want: { v: '2' } },
    { args: ['-v2'], want: { v: '2' } },
    { args: ['-hv2'], want: { help: 'true', v: '2' } },
    { args: ['-hv', '2'], want: { help: 'true', v: '2' } },
    { args: ['-h=false'], want: { help: 'false' } },
    { args: ['-v', '-1'], want: { v: '-1' } },
    { args: ['--controllers', '-route,*'], want: { controllers: '-route,*' } },
    { args: ['--controllers=a', '--controllers=b'], want: { controllers: 'a,b' } },
    { args: ['--leader-elect'], want: { 'leader-elect': 'true' } },
    { args: ['--leader-elect=false', '-v=1'], want: { 'leader-elect': 'false', v: '1' } },
  ];
  for (const { args, want } of good) {
    it(`are read as pflag reads them: ${args.join(' ') || 'none'}`, () => {
      assert.deepEqual(read(args), { given: want, problems: [] });
    });
  }

  const bad = [
    { args: ['--leader-elect', 'false'], want: [/"false": write --leader-elect=false if/] },
    {
      args: ['--leader-elect', 'a', 'b'],
      want: [/"a": write --lea/, /"b": the manager accepts flags/],
    },
    { args: ['run'], want: [/unexpected argument "run": the manager accepts flags only/] },
    { args: ['-'], want: [/unexpected argument "-"/] },
    { args: ['--'], want: [/unexpected argument "--"/] },
    { args: ['--', '--v=2'], want: [/unexpected argument "--"/] },
    { args: ['--=x'], want: [/unknown flag "--": see --help/] },
    { args: ['-v'], want: [/-v requires a value: -v=INT/] },
    { args: ['--kubeconfig'], want: [/--kubeconfig requires a value/] },
    { args: ['--kubeconfig', '--v=2'], want: [/--kubeconfig requires a value/] },
    { args: ['--kubeconfig', '-v', '2'], want: [/--kubeconfig requires a value/] },
    {
      args: ['--kubecnofig=x'],
      want: [/unknown flag "--kubecnofig": did you mean --kubeconfig\?/],
    },
    { args: ['-kubeconfig=x'], want: [/unknown flag "-kubeconfig": did you mean --kubeconfig\?/] },
    { args: ['--cloud-povider', 'aws'], want: [/did you mean --cloud-provider\?/] },
    { args: ['--nothing-like-it', '-x'], want: [/see --help/, /unknown flag "-x": see --help/] },
    { args: ['--\u001b[2J'], want: [/unknown flag "--\\u\{1b\}\[2J"/] },
  ];
  for (const { args, want } of bad) {
    it(`are refused with all their mistakes: ${JSON.stringify(args)}`, () => {
      const { problems } = read(args);
      assert.equal(problems.length, want.length, problems.join('\n'));
      for (const [index, pattern] of want.entries()) assert.match(problems[index] ?? '', pattern);
    });
  }

  it('never make the reader throw, and each problem is one line of bounded length', () => {
    const word = fc.oneof(
      fc.string({ maxLength: 300 }),
      fc.constantFrom('-v', '--v=', '--', '-', '-h', '--leader-elect', '--controllers', '-hvv'),
      fc.string({ maxLength: 20 }).map((text) => `--${text}`),
      fc.string({ maxLength: 20 }).map((text) => `-${text}`),
    );
    fc.assert(
      fc.property(fc.array(word, { maxLength: 8 }), (args) => {
        for (const problem of read(args).problems) {
          assert.match(problem, /^[ -~…]{1,700}$/);
        }
      }),
    );
  });
});
