/**
 * Decides which test files each suite runs, and finds the test files that no suite would run: they
 * look tested and are not, so each is a failure of the run. Pure; the tree comes in as a list.
 */
import { posix } from 'node:path';
import type { RunRequest } from './command-line.ts';
import { looksLikeTest, suites, suitesOf, type Suite } from './suites.ts';

export interface Selection {
  readonly runs: readonly SuiteSelection[];
  /** One sentence per test file that no suite, or more than one, would run. */
  readonly lost: readonly string[];
  /** Words of the command line that name neither a suite nor any test file. */
  readonly unknown: readonly string[];
}

export interface SuiteSelection {
  readonly suite: Suite;
  readonly files: readonly string[];
}

export function selectTests(treeFiles: readonly string[], request: RunRequest): Selection {
  const testFiles = treeFiles.filter(looksLikeTest);
  const paths = request.paths.map((path) => posix.normalize(path).replace(/\/$/, ''));
  const isAsked = (file: string): boolean =>
    paths.length === 0 || paths.some((path) => isAt(file, path));
  const runs = suites
    .filter((suite) => request.suites.length === 0 || request.suites.includes(suite.name))
    .map((suite) => ({
      suite,
      files: testFiles.filter((file) => isAsked(file) && suitesOf(file).includes(suite)),
    }));
  return {
    // A suite without any file fails when it was to run as a whole, not when paths left it out.
    runs: runs.filter((run) => paths.length === 0 || run.files.length > 0),
    lost: testFiles.filter(isAsked).flatMap(describeIfLost),
    unknown: paths.filter((path) => !testFiles.some((file) => isAt(file, path))),
  };
}

function isAt(file: string, path: string): boolean {
  return path === '.' || file === path || file.startsWith(`${path}/`);
}

function describeIfLost(file: string): string[] {
  const owners = suitesOf(file);
  if (owners.length === 1) return [];
  if (owners.length > 1) {
    const names = owners.map((suite) => suite.name).join(' and ');
    return [`${file} belongs to ${names}. Make the patterns in test/run/suites.ts disjoint.`];
  }
  const places = suites.map((suite) => `  ${suite.name}: ${suite.patterns.join(', ')}`).join('\n');
  return [
    `${file} looks like a test, but no suite runs it. Move or rename it to match one of these, ` +
      `or add its place to test/run/suites.ts:\n${places}`,
  ];
}
