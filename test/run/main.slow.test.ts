import assert from 'node:assert/strict';
import { aMiniature, runProgram, type Program, type ProgramRun } from './miniature.ts';

const green = {
  'packages/a/src/a.test.ts': `
    describe('a', () => { it('holds', () => {}); it.skip('is not ready', () => {}); });`,
  // Two files, so that mocha runs them in its workers.
  'packages/a/src/b.test.ts': `
    it('needs git', function () { this.skipReason = 'there is no git'; this.skip(); });`,
  'packages/a/src/a.slow.test.ts': `describe('slow a', () => { it('holds', () => { Math.random(); }); });`,
  'test/simulation/c.test.ts': `describe('c', () => { it('holds', () => {}); });`,
  'test/integration/b.test.ts': `
    describe('b', () => {
      before(function () { this.skipReason = 'there is no control plane'; this.skip(); });
      it('one', () => {});
      it('two', () => {});
    });`,
};

/** Each of these alone fails a run. */
const red: readonly { name: string; file: string; text: string; says: RegExp; passed: number }[] = [
  {
    name: 'a failed test',
    file: 'packages/a/src/fails.test.ts',
    text: `it('fails', () => { throw new Error('in the test'); });`,
    says: /Error: in the test/,
    passed: 1,
  },
  {
    name: 'a failed hook',
    file: 'packages/a/src/hook.test.ts',
    text: `describe('h', () => { before(() => { throw new Error('in it'); }); it('is', () => {}); });`,
    says: /"before all" hook for "is"/,
    passed: 1,
  },
  {
    name: 'a file that does not load',
    file: 'packages/a/src/broken.test.ts',
    text: `describe('broken', () => { throw new Error('at load'); });`,
    says: /at load/,
    passed: 1,
  },
  {
    name: 'a rejection that nobody handles',
    file: 'packages/a/src/rejects.test.ts',
    text: `it('is late', async () => { Promise.reject(new Error('unseen')); });`,
    says: /unseen/,
    passed: 1,
  },
  {
    name: 'a file that declares no test',
    file: 'packages/a/src/empty.test.ts',
    text: `describe('empty', () => {});`,
    says: /No test is declared in packages\/a\/src\/empty\.test\.ts\./,
    passed: 1,
  },
  {
    name: 'a test that is to run alone',
    file: 'packages/a/src/only.test.ts',
    text: `it.only('alone', () => {});`,
    says: /`\.only` (?:is not supported|forbidden)/,
    passed: 1,
  },
  {
    name: 'a process that leaves',
    file: 'packages/a/src/dies.test.ts',
    text: `it('leaves', () => process.exit(0)); it('never runs', () => {});`,
    says: /Mocha ended with|Workerpool|worker/i,
    passed: 1,
  },
];

/** What the tripwire catches, as a test would call it. */
const wires = {
  setTimeout: 'setTimeout(() => {}, 0)',
  setInterval: "(await import('node:timers')).setInterval(() => {}, 1)",
  setImmediate: 'setImmediate(() => {})',
  'new Date': 'new Date()',
  Date: 'Date()',
  now: 'Date.now()',
  hrtime: 'process.hrtime()',
  bigint: 'process.hrtime.bigint()',
  timeout: 'AbortSignal.timeout(1)',
  random: 'Math.random()',
  randomUUID: 'crypto.randomUUID()',
  randomBytes: "(await import('node:crypto')).randomBytes(1)",
  fetch: "fetch('http://127.0.0.1:1')",
};
const tripping = {
  'packages/a/src/trips.test.ts': Object.values(wires)
    .map((call, index) => `it('trip ${index}', async () => { ${call}; });`)
    .join('\n'),
  'packages/a/src/swallows.test.ts': `it('swallows', () => { try { Math.random(); } catch {} });`,
  'packages/a/src/swallows-after.test.ts': `
    describe('s', () => {
      after(() => { try { Math.random(); } catch {} });
      it('ends well', () => {});
    });`,
  'test/simulation/a.test.ts': `it('trips too', () => { performance.now(); });`,
};

const fruit = {
  'packages/a/src/a.test.ts': `it('apple', () => {}); it('pear', () => {});`,
  'packages/a/src/b.test.ts': `it('plum', () => {});`,
};

const waiting = {
  'packages/a/src/a.test.ts': `
    after(() => console.log('cleaned up'));
    it('waits', (done) => { process.once('SIGINT', () => done()); console.log('waiting'); });
    it('never runs', () => {});`,
};

const prepared = {
  ...green,
  'test/integration/minors/a.test.ts': `it('holds', () => {});`,
  'test/control-plane/binaries/build-minors.ts': `console.log('prepared');`,
};

/** Runs the real `npm test` on a tree of these files. */
async function testRunOf(
  files: Readonly<Record<string, string>>,
  { args = [], signal }: Partial<Program> = {},
): Promise<ProgramRun> {
  await using tree = await aMiniature(files);
  return await runProgram({
    entry: 'run/main.ts',
    cwd: tree.root,
    args,
    ...(signal === undefined ? {} : { signal }),
  });
}

/** Each starts two processes or more, so all begin at once and each test waits for its own. */
function startRuns() {
  return {
    green: testRunOf(green),
    red: red.map(({ file, text }) =>
      testRunOf(
        { [file]: text, 'packages/a/src/passes.test.ts': `it('passes', () => {});` },
        { args: ['unit'] },
      ),
    ),
    tripping: testRunOf(tripping, { args: ['unit', 'simulation'] }),
    empty: testRunOf({}, { args: ['unit'] }),
    vain: testRunOf(fruit, { args: ['unit', '--grep', 'cherry'] }),
    fruit: testRunOf(fruit, { args: ['unit', '--grep', '^p'] }),
    waiting: testRunOf(waiting, {
      args: ['unit'],
      signal: { name: 'SIGTERM', after: 'waiting' },
    }),
    preparing: testRunOf(prepared, { args: ['test/integration/minors'] }),
    unprepared: testRunOf(prepared, { args: ['test/integration/b.test.ts'] }),
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
    assert.equal(lastLine, '3 passed, 0 failed, 4 skipped');
    assert.match(output, /Skipped 2: there is no control plane/);
    assert.match(output, /Skipped 1: there is no git/);
    assert.match(output, /- a › is not ready/);
    assert.equal(exitCode, 0);
  });

  for (const [index, { name, says, passed }] of red.entries()) {
    it(`fails for ${name}`, async () => {
      const { exitCode, output, lastLine } = (await runs.red[index]) ?? assert.fail();
      assert.match(output, says);
      assert.match(lastLine, new RegExp(`^${passed} passed, [1-9]\\d* failed, 0 skipped$`));
      assert.equal(exitCode, 1);
    });
  }

  it('fails where a unit test or the simulation uses real time, chance or fetch', async () => {
    const { output, lastLine } = await runs.tripping;
    for (const name of Object.keys(wires)) {
      assert.match(output, new RegExp(`The tripwire caught a call of ${name}\\.`), name);
    }
    assert.match(output, /"after each" hook[^]*for "swallows"/);
    assert.match(output, /"after all" hook/);
    // The two tests around which a trip is swallowed pass; the hooks of the tripwire fail.
    assert.equal(lastLine, `2 passed, ${Object.keys(wires).length + 3} failed, 0 skipped`);
  });

  it('fails where a suite or a pattern has no test', async () => {
    assert.equal((await runs.empty).lastLine, '0 passed, 1 failed, 0 skipped');
    const { output, lastLine } = await runs.vain;
    assert.match(output, /No test has a title that matches the pattern/);
    assert.equal(lastLine, '0 passed, 1 failed, 0 skipped');
  });

  it('runs the program that a file wants first, once, and only where that file is asked for', async () => {
    const { output, lastLine } = await runs.preparing;
    assert.match(output, /integration suite\nprepared\n[^]*holds/);
    assert.equal(output.match(/prepared/g)?.length, 1);
    assert.equal(lastLine, '1 passed, 0 failed, 0 skipped');
    assert.doesNotMatch((await runs.unprepared).output, /prepared/);
  });

  it('runs only what the pattern matches', async () => {
    const { exitCode, lastLine } = await runs.fruit;
    assert.equal(lastLine, '2 passed, 0 failed, 0 skipped');
    assert.equal(exitCode, 0);
  });

  it('passes a signal on, lets hooks clean up, and fails', async () => {
    const { exitCode, output, lastLine } = await runs.waiting;
    assert.match(output, /cleaned up[^]*The run was interrupted/);
    assert.equal(lastLine, '1 passed, 1 failed, 0 skipped');
    assert.equal(exitCode, 1);
  });

  it('refuses an unknown argument with exit code 2', async () => {
    const { exitCode, output } = await runs.mistaken;
    assert.match(output, /There is no suite and no test file "unti"/);
    assert.equal(exitCode, 2);
  });
});
