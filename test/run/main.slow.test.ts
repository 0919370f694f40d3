import assert from 'node:assert/strict';
import { aMiniature, runProgram, type Program, type ProgramRun } from './miniature.ts';

const green = {
  'packages/a/src/a.test.ts': `
    describe('a', () => { it('holds', () => {}); it.skip('is not ready', () => {}); });`,
  'packages/a/src/a.slow.test.ts': `describe('slow a', () => { it('holds', () => {}); });`,
  'test/simulation/c.test.ts': `describe('c', () => { it('holds', () => {}); });`,
  'test/integration/b.test.ts': `
    describe('b', () => {
      before(function () { this.skipReason = 'there is no control plane'; this.skip(); });
      it('one', () => {});
      it('two', () => {});
    });`,
};

const red = {
  'packages/a/src/broken.test.ts': `describe('broken', () => { throw new Error('at load'); });`,
  'packages/a/src/empty.test.ts': `describe('nothing', () => {});`,
  'packages/a/src/fails.test.ts': `it('fails', () => { throw new Error('in the test'); });`,
  'packages/a/src/hook.test.ts': `
    describe('hook', () => {
      before(() => { throw new Error('in the hook'); });
      it('never runs', () => {});
    });`,
  'packages/a/src/only.test.ts': `describe('only', () => { it.only('alone', () => {}); });`,
  'packages/a/src/passes.test.ts': `describe('passes', () => { it('passes', () => {}); });`,
  'packages/a/src/rejects.test.ts': `
    describe('late', () => {
      it('leaves a rejection', async () => { Promise.reject(new Error('unseen')); });
    });`,
  'packages/a/src/lost.spec.ts': `it('is lost', () => {});`,
  'packages/a/test/lost.test.ts': `it('is lost, too', () => {});`,
};

const dying = {
  'test/support/dies.test.ts': `
    it('passes', () => {});
    it('leaves', () => process.exit(0));
    it('never runs', () => {});`,
};

const fruit = {
  'packages/a/src/a.test.ts': `it('apple', () => {}); it('pear', () => {});`,
  'packages/a/src/b.test.ts': `it('plum', () => {});`,
};

const waiting = {
  'packages/a/src/a.test.ts': `
    after(() => console.log('cleaned up'));
    it('waits', (done) => { process.once('SIGTERM', () => done()); console.log('waiting'); });
    it('never runs', () => {});`,
};

/** Runs the real `npm test` on a tree of these files. */
async function testRunOf(
  files: Readonly<Record<string, string>>,
  { args = [], signal }: Partial<Program> = {},
): Promise<ProgramRun> {
  await using tree = await aMiniature(files);
  return await runProgram({
    entry: 'run/main.ts',
    args: ['--root', tree.root, ...args],
    ...(signal === undefined ? {} : { signal }),
  });
}

/** Each starts two processes or more, so all begin at once and each test waits for its own. */
function startRuns() {
  return {
    green: testRunOf(green),
    red: testRunOf(red),
    dying: testRunOf(dying, { args: ['unit'] }),
    fruit: testRunOf(fruit, { args: ['unit', '--grep', '^p'] }),
    waiting: testRunOf(waiting, {
      args: ['unit'],
      signal: { name: 'SIGTERM', after: 'waiting' },
    }),
    mistaken: runProgram({ entry: 'run/main.ts', args: ['unti'] }),
  };
}

describe('npm test', function () {
  this.timeout(30_000);
  this.slow(2_000);

  let runs: ReturnType<typeof startRuns>;
  before(() => {
    runs = startRuns();
  });

  it('passes, sums up all suites on the last line, and tells why tests were skipped', async () => {
    const { exitCode, output, lastLine } = await runs.green;
    assert.equal(lastLine, '3 passed, 0 failed, 3 skipped');
    assert.match(output, /Skipped 2 in test\/integration\/b\.test\.ts: there is no control plane/);
    assert.match(output, /- a › is not ready/);
    assert.equal(exitCode, 0);
  });

  it('fails for each thing that is wrong, names it, and runs the rest all the same', async () => {
    const { exitCode, output, lastLine } = await runs.red;
    const wanted = [
      /broken\.test\.ts does not load/,
      /empty\.test\.ts declares no test/,
      /Error: in the test/,
      /"before all" hook for "never runs"/,
      /only\.test\.ts does not load[^]*`\.only` forbidden/,
      /✔ packages\/a\/src\/passes\.test\.ts {2}1 passed/,
      /Uncaught Error: unseen/,
      /src\/lost\.spec\.ts looks like a test, but no suite runs it/,
      /test\/lost\.test\.ts looks like a test/,
      /The slow suite ran nothing/,
      /The simulation suite ran nothing/,
      /The integration suite ran nothing/,
      /Tests of the unit suite that did not run: 1/,
    ];
    for (const pattern of wanted) assert.match(output, pattern);
    assert.equal(lastLine, '1 passed, 11 failed, 0 skipped');
    assert.equal(exitCode, 1);
  });

  it('counts a process that dies in the middle as failed, after what it had done', async () => {
    const { exitCode, output, lastLine } = await runs.dying;
    assert.match(output, /ended with exit code 0 before its last test/);
    assert.equal(lastLine, '1 passed, 1 failed, 0 skipped');
    assert.equal(exitCode, 1);
  });

  it('runs only what the pattern matches', async () => {
    const { exitCode, lastLine } = await runs.fruit;
    assert.equal(lastLine, '2 passed, 0 failed, 0 skipped');
    assert.equal(exitCode, 0);
  });

  it('passes a signal on, lets hooks clean up, and fails', async () => {
    const { exitCode, output, lastLine } = await runs.waiting;
    assert.match(output, /cleaned up[^]*The unit suite was interrupted by SIGTERM/);
    assert.equal(lastLine, '1 passed, 1 failed, 0 skipped');
    assert.equal(exitCode, 1);
  });

  it('refuses an unknown argument with exit code 2', async () => {
    const { exitCode, output } = await runs.mistaken;
    assert.match(output, /There is no suite and no test file "unti"/);
    assert.equal(exitCode, 2);
  });
});
