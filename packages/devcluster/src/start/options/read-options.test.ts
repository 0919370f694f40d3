import assert from 'node:assert/strict';
import { helpText, nodesMax, optionDeclarations } from './declarations.ts';
import { readOptions } from './read-options.ts';

const settings = {
  nodes: 0,
  stack: 'dual',
  faults: 'none',
  churn: 'none',
  seed: '1',
  log: undefined,
};

describe('the options of npm start', () => {
  it('have defaults', () => {
    assert.deepEqual(readOptions([]), { kind: 'live', settings, port: 0 });
    assert.deepEqual(readOptions(['--once']), { kind: 'once', settings, output: 'table' });
  });

  it('may have every form that kubectl takes', () => {
    for (const args of [
      ['-o', 'json'],
      ['-o=json'],
      ['-ojson'],
      ['--output', 'json'],
      ['--output=json'],
    ]) {
      assert.deepEqual(readOptions(['--once', ...args]), {
        kind: 'once',
        settings,
        output: 'json',
      });
    }
  });

  it('all have an effect', () => {
    const args = '--nodes 7 --stack ipv6 --churn --faults --seed tuesday --port 6443 --log a.log';
    assert.deepEqual(readOptions(args.split(' ')), {
      kind: 'live',
      port: 6443,
      settings: {
        nodes: 7,
        stack: 'ipv6',
        churn: 'seeded',
        faults: 'seeded',
        seed: 'tuesday',
        log: 'a.log',
      },
    });
  });

  const cases: { args: string[]; want: RegExp }[] = [
    { args: ['--nope'], want: /^unknown option --nope/ },
    { args: ['-x'], want: /^unknown option -x/ },
    { args: ['something'], want: /^unexpected argument "something"/ },
    { args: ['--nodes'], want: /^--nodes requires a value: expected N$/ },
    { args: ['--nodes', '--churn'], want: /^--nodes requires a value/ },
    { args: ['--nodes=-1'], want: /^--nodes "-1" is not a whole number from 0 to 5000$/ },
    { args: ['--nodes=1.5'], want: /^--nodes "1.5"/ },
    { args: ['--nodes=1e3'], want: /^--nodes "1e3"/ },
    { args: [`--nodes=${nodesMax + 1}`], want: /^--nodes "5001"/ },
    { args: ['--nodes=1', '--nodes=2'], want: /^--nodes is given more than once$/ },
    {
      args: ['--nodes=1', '--stack=both'],
      want: /^--stack "both" is not one of dual, ipv4, ipv6$/,
    },
    { args: ['--stack=ipv4'], want: /^--stack requires --nodes or --churn$/ },
    { args: ['--churn=yes'], want: /^--churn takes no value$/ },
    {
      args: ['--once', '--churn'],
      want: /^--churn cannot be combined with --once, because churn never ends$/,
    },
    { args: ['--once', '--port=1'], want: /^--port cannot be combined with --once/ },
    { args: ['-o', 'json'], want: /^--output requires --once$/ },
    { args: ['--once', '-o', 'xml'], want: /^--output "xml" is not one of table, json$/ },
    { args: ['--port=65536'], want: /^--port "65536"/ },
    { args: ['--seed='], want: /^--seed is 0 characters long/ },
    { args: [`--seed=${'x'.repeat(129)}`], want: /^--seed is 129 characters long/ },
    { args: ['--log='], want: /^--log is empty/ },
  ];
  for (const { args, want } of cases) {
    it(`are refused: ${args.join(' ').slice(0, 40)}`, () => {
      const command = readOptions(args);
      assert.ok(command.kind === 'invalid');
      assert.equal(command.problems.length, 1);
      assert.match(command.problems[0]!, want);
    });
  }

  it('are refused all at once', () => {
    const command = readOptions(['--nope', '--nodes=x', '--port=x', 'y']);
    assert.equal(command.kind === 'invalid' && command.problems.length, 4);
  });

  it('are ignored beside --help, which names all of them', () => {
    assert.deepEqual(readOptions(['--nope', '-h']), { kind: 'help' });
    for (const name of Object.keys(optionDeclarations)) assert.ok(helpText().includes(`--${name}`));
    for (const line of helpText().split('\n')) assert.ok(line.length <= 100, line);
  });
});
