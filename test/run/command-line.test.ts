import assert from 'node:assert/strict';
import { parseCommandLine } from './command-line.ts';

const nothing = { kind: 'run', root: undefined, suites: [], paths: [], grep: undefined };

describe('the command line of npm test', () => {
  const cases = [
    { args: [], want: nothing },
    { args: ['unit'], want: { ...nothing, suites: ['unit'] } },
    { args: ['a.test.ts', 'unit'], want: { ...nothing, suites: ['unit'], paths: ['a.test.ts'] } },
    { args: ['--grep', 'a b'], want: { ...nothing, grep: 'a b' } },
    { args: ['--grep=^a$'], want: { ...nothing, grep: '^a$' } },
    { args: ['--help'], want: { kind: 'help' } },
  ];
  for (const { args, want } of cases) {
    it(`understands ${args.join(' ') || 'nothing at all'}`, () => {
      assert.deepEqual(parseCommandLine(args, ['unit', 'integration']), want);
    });
  }

  const mistakes = [
    { args: ['--fast'], want: /Unknown option '--fast'/ },
    { args: ['--grep'], want: /--grep <value>' argument missing/ },
    { args: ['--grep', '('], want: /--grep "\(" is not a regular expression/ },
  ];
  for (const { args, want } of mistakes) {
    it(`refuses ${args.join(' ')}`, () => {
      const request = parseCommandLine(args, ['unit', 'integration']);
      assert.ok(request.kind === 'mistake');
      assert.match(request.message, want);
    });
  }
});
