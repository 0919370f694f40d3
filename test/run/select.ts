/** Which test files of each suite the words of a command line name: suites, files and folders. Pure. */
import { isOf, type Suite, suites } from './suites.ts';

export interface Selected {
  readonly suite: Suite;
  readonly files: readonly string[];
}

/** The files that mocha runs in one process each. */
export function sharesOf({ suite, files }: Selected): readonly (readonly string[])[] {
  const shares = Map.groupBy(files, (file) => isOf(file, suite.together ?? []));
  return [...shares.values()];
}

export function select(
  tests: readonly string[],
  words: readonly string[],
): readonly Selected[] | { readonly unknown: string } {
  const named = suites.filter(({ name }) => words.includes(name));
  const paths = words
    .filter((word) => !named.some(({ name }) => name === word))
    .map((path) => path.replace(/^\.\//, '').replace(/\/$/, ''));
  const isAt = (file: string, path: string): boolean =>
    file === path || file.startsWith(`${path}/`);
  const unknown = paths.find((path) => !tests.some((file) => isAt(file, path)));
  if (unknown !== undefined) return { unknown };
  return (named.length > 0 ? named : suites).flatMap((suite) => {
    const ofSuite = tests.filter((file) => isOf(file, suite.patterns));
    const files = ofSuite.filter(
      (file) => paths.length === 0 || paths.some((path) => isAt(file, path)),
    );
    // A suite that runs nothing proves nothing: mocha is asked all the same, and says so.
    return files.length > 0 || paths.length === 0 ? [{ suite, files }] : [];
  });
}
