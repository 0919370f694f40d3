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

  const cases: readonly (readonly [args: string[], want: RegExp])[] = [
    [['--nope'], /^unknown option --nope/],
    [['-x'], /^unknown option -x/],
    [['something'], /^unexpected argument "something"/],
    [['--nodes'], /^--nodes requires a value: expected N$/],
    [['--nodes', '--churn'], /^--nodes requires a value/],
    [['--nodes=-1'], /^--nodes "-1" is not a whole number from 0 to 5000$/],
    [['--nodes=1.5'], /^--nodes "1.5"/],
    [['--nodes=1e3'], /^--nodes "1e3"/],
    [[`--nodes=${nodesMax + 1}`], /^--nodes "5001"/],
    [['--nodes=1', '--nodes=2'], /^--nodes is given more than once$/],
    [['--nodes=1', '--stack=both'], /^--stack "both" is not one of dual, ipv4, ipv6$/],
    [['--stack=ipv4'], /^--stack requires --nodes or --churn$/],
    [['--churn=yes'], /^--churn takes no value$/],
    [['--once', '--churn'], /^--churn cannot be combined with --once, because churn never ends$/],
    [['--once', '--port=1'], /^--port cannot be combined with --once/],
    [['-o', 'json'], /^--output requires --once$/],
    [['--once', '-o', 'xml'], /^--output "xml" is not one of table, json$/],
    [['--port=65536'], /^--port "65536"/],
    [['--seed='], /^--seed is 0 characters long/],
    [[`--seed=${'x'.repeat(129)}`], /^--seed is 129 characters long/],
    [['--log='], /^--log is empty/],
  ];
  for (const [args, want] of cases) {
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
