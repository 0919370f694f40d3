/**
 * What a person may say to `npm test --`. Pure: arguments in, a request or a clear error out.
 */
import { parseArgs } from 'node:util';

export type Request =
  | { readonly kind: 'help' }
  | { readonly kind: 'mistake'; readonly message: string }
  | RunRequest;

export interface RunRequest {
  readonly kind: 'run';
  /** Another tree than this repository; the runner's own tests use it. */
  readonly root: string | undefined;
  readonly suites: readonly string[];
  readonly paths: readonly string[];
  readonly grep: string | undefined;
}

export const usage: string = `Usage: npm test -- [SUITE | PATH]… [--grep PATTERN]

Runs the tests with mocha and ends with a line "N passed, N failed, N skipped".

  SUITE            unit, slow, simulation or integration; without it, all of them
  PATH             a test file or a folder of test files
  --grep PATTERN   only tests whose full title matches this regular expression
  --root DIR       run the tests of another tree
  --help           this text

  TANDEM_SEED      in the environment: the one seeded world to run, such as simulation/17
  TANDEM_WORLDS    in the environment: how many worlds the simulation suite runs

Exit codes: 0 all passed or were skipped, 1 something failed, 2 the command line is wrong.
`;

export function parseCommandLine(args: readonly string[], suiteNames: readonly string[]): Request {
  let parsed;
  try {
    parsed = parseArgs({
      args: [...args],
      allowPositionals: true,
      options: {
        grep: { type: 'string', short: 'g' },
        root: { type: 'string' },
        help: { type: 'boolean', short: 'h' },
      },
    });
  } catch (err) {
    return mistake(err instanceof Error ? err.message : String(err));
  }
  const { values, positionals } = parsed;
  if (values.help === true) return { kind: 'help' };
  if (values.grep !== undefined && !isRegularExpression(values.grep)) {
    return mistake(`--grep "${values.grep}" is not a regular expression.`);
  }
  return {
    kind: 'run',
    root: values.root,
    suites: positionals.filter((word) => suiteNames.includes(word)),
    paths: positionals.filter((word) => !suiteNames.includes(word)),
    grep: values.grep,
  };
}

function mistake(message: string): Request {
  return { kind: 'mistake', message };
}

function isRegularExpression(pattern: string): boolean {
  try {
    return new RegExp(pattern) instanceof RegExp;
  } catch {
    return false;
  }
}
