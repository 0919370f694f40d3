/**
 * `npm test`: has mocha run suite after suite, with the settings of `.mocharc.json` and those of the suite,
 * and ends with one line that sums them up.
 */
import { parseArgs, styleText } from 'node:util';
import { watchNpm } from '../support/npm.ts';
import { interruptRuns, type Outcome, runFirst, runMocha } from './run-mocha.ts';
import { select, type Selected, sharesOf } from './select.ts';
import { looksLikeTest } from './suites.ts';
import { listTreeFiles } from './tree-files.ts';

const usage = `Usage: npm test -- [SUITE | PATH]… [--grep PATTERN]

Runs the tests with mocha and ends with a line "N passed, N failed, N skipped".

  SUITE            unit, slow, simulation or integration; without it, all of them
  PATH             a test file or a folder of test files
  --grep PATTERN   only tests whose full title matches this regular expression
  --help           this text
  TANDEM_SEED      in the environment: the one seeded world to run, such as simulation/17
  TANDEM_WORLDS    in the environment: how many worlds the simulation suite runs

Exit codes: 0 all passed or were skipped, 1 something failed, 2 the command line is wrong.
`;

const npmPollMs = 500;

let isInterrupted = false;

function interrupt(): void {
  isInterrupted = true;
  interruptRuns();
}

/** What the user selected from the suites. */
interface Narrowed {
  readonly grep: string | undefined;
  /** A user who selects few tests wants to see all of them. */
  readonly showsAll: boolean;
}

async function runSuite(selected: Selected, narrowed: Narrowed): Promise<Outcome[]> {
  const { suite, files } = selected;
  const { grep, showsAll } = narrowed;
  const options = [
    `--reporter-option=titles=${showsAll ? 'all' : suite.titles}`,
    // A suite without a match is no mistake. A pattern that matches nothing at all is reported at the end.
    ...(grep === undefined ? [] : [`--grep=${grep}`, '--no-fail-zero']),
  ];
  console.log(styleText('bold', `\n${suite.name} suite`));
  if (files.length === 0) {
    return [{ passed: 0, failed: 1, skipped: 0, problem: `The ${suite.name} suite has no file.` }];
  }
  await runFirst(suite, files);
  if (isInterrupted) return [];
  const startMs = performance.now();
  const outcomes = await Promise.all(
    sharesOf(selected).map((share) => runMocha(suite, share, options)),
  );
  console.log(`${suite.name} suite took ${((performance.now() - startMs) / 1000).toFixed(1)} s`);
  return outcomes;
}

async function runAll(all: readonly Selected[], narrowed: Narrowed): Promise<number> {
  const outcomes: Outcome[] = [];
  for (const selected of all) {
    // Suites share the machine's cores and one output, so they go one after the other.
    if (!isInterrupted) outcomes.push(...(await runSuite(selected, narrowed)));
  }
  const sum = (of: 'passed' | 'failed' | 'skipped'): number =>
    outcomes.reduce((total, one) => total + one[of], 0);
  const problems = outcomes.flatMap(({ problem }) => problem ?? []);
  const isVain =
    narrowed.grep !== undefined && sum('passed') + sum('failed') + sum('skipped') === 0;
  if (isVain) problems.push('No test has a title that matches the pattern.');
  if (isInterrupted) problems.push('The run was interrupted.');
  for (const problem of problems) console.log(styleText('red', `✘ ${problem}`));
  const failed = sum('failed') + (isVain ? 1 : 0) + (isInterrupted ? 1 : 0);
  console.log(`\n${sum('passed')} passed, ${failed} failed, ${sum('skipped')} skipped`);
  return failed === 0 ? 0 : 1;
}

/** A signal that ends npm does not reach its script, which would continue without a reader. */
function whenNpmEnds(callback: () => void): void {
  if (process.env['npm_lifecycle_event'] === undefined) return;
  const isThere = watchNpm(process.env);
  const poll = setInterval(() => {
    if (isThere()) return;
    clearInterval(poll);
    callback();
  }, npmPollMs);
  poll.unref();
}

function refuse(message: string): number {
  console.error(`${message} Try npm test -- --help.`);
  return 2;
}

async function main(): Promise<number> {
  const options = {
    grep: { type: 'string', short: 'g' },
    help: { type: 'boolean', short: 'h' },
  } as const;
  let parsed;
  try {
    parsed = parseArgs({ allowPositionals: true, options });
    RegExp(parsed.values.grep ?? '');
  } catch (err) {
    return refuse(err instanceof Error ? err.message : String(err));
  }
  const { values, positionals } = parsed;
  if (values.help === true) {
    console.log(usage);
    return 0;
  }
  const tests = listTreeFiles(process.cwd()).filter(looksLikeTest);
  const selected = select(tests, positionals);
  if ('unknown' in selected) {
    return refuse(`There is no suite and no test file "${selected.unknown}".`);
  }
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, interrupt);
  whenNpmEnds(interrupt);
  const { grep } = values;
  const showsAll = grep !== undefined || positionals.some((word) => word.includes('/'));
  return runAll(selected, { grep, showsAll });
}

process.exitCode = await main();
