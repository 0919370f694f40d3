import assert from 'node:assert/strict';
import type { SuiteOutcome } from './suite-run.ts';
import { suites } from './suites.ts';
import { judge, type Circumstances, type Verdict } from './verdict.ts';

const file = 'packages/a/src/a.test.ts';

function anOutcome(outcome: Partial<SuiteOutcome> = {}): SuiteOutcome {
  return {
    passed: 1,
    failed: 0,
    failedHooks: 0,
    skipped: 0,
    unloadable: [],
    declared: new Map([[file, 1]]),
    isComplete: true,
    lingering: undefined,
    exit: 0,
    ...outcome,
  };
}

function judged(
  outcome: Partial<SuiteOutcome>,
  circumstances: Partial<Circumstances> = {},
): Verdict {
  const [suite] = suites;
  assert.ok(suite);
  const usual = { suite, isGrepped: false, interruptedBy: undefined };
  return judge(anOutcome(outcome), { ...usual, ...circumstances });
}

describe('the verdict on a suite', () => {
  it('is good when all that was declared has passed or was skipped', () => {
    assert.deepEqual(judged({}).problems, []);
    assert.deepEqual(judged({ passed: 0, skipped: 1 }).problems, []);
    assert.equal(judged({}).failed, 0);
  });

  const bad: readonly { name: string; outcome: Partial<SuiteOutcome>; want: RegExp }[] = [
    { name: 'it has no test', outcome: { passed: 0, declared: new Map() }, want: /ran nothing/ },
    {
      name: 'a file has no test',
      outcome: {
        declared: new Map([
          [file, 1],
          ['b', 0],
        ]),
      },
      want: /^b declares no test/,
    },
    { name: 'its process ended early', outcome: { isComplete: false }, want: /exit code 0 before/ },
    {
      name: 'its process ran out of memory',
      outcome: { isComplete: false, exit: 'SIGABRT' },
      want: /ended by SIGABRT before/,
    },
    { name: 'its process crashed at the end', outcome: { exit: 7 }, want: /exit code 7 after/ },
    {
      name: 'it leaves a server open',
      outcome: { lingering: ['TCPServerWrap'], exit: 'SIGKILL' },
      want: /leaves something open \(TCPServerWrap\)/,
    },
    {
      name: 'tests did not run for no known reason',
      outcome: { declared: new Map([[file, 3]]) },
      want: /Tests of the unit suite that did not run: 2/,
    },
  ];
  for (const { name, outcome, want } of bad) {
    it(`is bad when ${name}`, () => {
      const verdict = judged(outcome);
      assert.equal(verdict.problems.length, 1);
      assert.match(verdict.problems[0] ?? '', want);
      assert.equal(verdict.failed, 1);
    });
  }

  it('is bad when a person interrupted it, even if nothing had failed by then', () => {
    assert.match(
      judged({}, { interruptedBy: 'SIGINT' }).problems[0] ?? '',
      /interrupted by SIGINT/,
    );
  });

  it('does not count the exit code of failed tests once more', () => {
    assert.equal(judged({ passed: 0, failed: 1, exit: 1 }).failed, 1);
  });

  it('allows files and suites without a test when only some were asked for', () => {
    const outcome = {
      passed: 0,
      declared: new Map([
        [file, 3],
        ['b', 0],
      ]),
    };
    assert.equal(judged(outcome, { isGrepped: true }).failed, 0);
  });
});
